// An app imports one module for all of HTTP: the cache and what puts it under URLSession.
@_exported public import LarderHTTPCache
