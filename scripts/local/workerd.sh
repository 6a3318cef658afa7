#!/bin/sh
# Runs workerd and ends it as soon as the process that started it is gone, however that one ended: a
# workerd left behind would hold the port and the databases. Descriptor 3 is a socket to that process,
# which never sends anything on it, so a read returns only when it is closed.
(cat <&3; kill -9 "$$") </dev/null >/dev/null 2>&1 &
# The process keeps its id when it becomes workerd; who pauses it for a copy of the databases reads it there.
if [ -n "$PROMPTHOOK_PID_FILE" ]; then echo "$$" >"$PROMPTHOOK_PID_FILE"; fi
exec "$PROMPTHOOK_WORKERD" "$@"
