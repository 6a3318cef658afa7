#!/bin/sh
# Runs workerd and ends it as soon as the process that started it is gone, however that one ended: a
# workerd left behind would hold the port and the databases. Descriptor 3 is a socket to that process,
# which never sends anything on it, so a read returns only when it is closed.
(cat <&3; kill -9 "$$") </dev/null >/dev/null 2>&1 &
exec "$PROMPTHOOK_WORKERD" "$@"
