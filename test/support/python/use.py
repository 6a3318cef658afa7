"""Uses the installed client and prints what it got as JSON. Arguments: base URL, API key."""

import asyncio
import json
import socket
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import prompthook
from prompthook import (
    AsyncPrompthook,
    CallbackError,
    Problem,
    Prompthook,
    WaitTimeout,
    verify_callback,
)

SECRET = "a secret of the callbacks"
client = Prompthook(sys.argv[1], sys.argv[2])
delivery = threading.Event()
verdicts = {}


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        headers = dict(self.headers.items())
        verdicts["genuine"] = verify_callback(SECRET, headers, body)["status"]
        verdicts["altered"] = fault_of(SECRET, headers, body + b" ")
        verdicts["other secret"] = fault_of("another secret", headers, body)
        verdicts["late"] = fault_of(SECRET, headers, body, now=lambda: 4e9)
        verdicts["unsigned"] = fault_of(SECRET, {}, body)
        self.send_response(204)
        self.end_headers()
        delivery.set()

    def log_message(self, *_: object) -> None:
        pass


def fault_of(secret: str, headers: dict[str, str], body: bytes, **options: object) -> str | None:
    try:
        verify_callback(secret, headers, body, **options)
    except CallbackError as error:
        return error.fault
    return None


receiver = HTTPServer(("127.0.0.1", 0), Receiver)
threading.Thread(target=receiver.serve_forever, daemon=True).start()

said: list[str] = []
prompt = "List rows from the data sorted by total descending:\n\ncustomer,total\nAcme,120.50\nCedar,310.00"
callback_url = f"http://127.0.0.1:{receiver.server_port}/"
result = client.run(
    {"prompt": prompt, "callbackUrl": callback_url, "callbackSecret": SECRET},
    on_progress=lambda state: said.append(state["status"]),
)
types = [event["type"] for event in client.stream(result["executionId"])]

workflow = client.create_workflow({"name": "greet", "prompt": "Say hello"})
repeated = [client.run_workflow(workflow["workflowId"], {"inputs": {}}, idempotency_key="one") for _ in range(2)]
client.wait(repeated[0]["executionId"])
client.delete_workflow(workflow["workflowId"])

# It takes connections and answers none.
mute = socket.create_server(("127.0.0.1", 0))
page = f"http://127.0.0.1:{mute.getsockname()[1]}/"
waiting = client.trigger_execution({"prompt": f"List headings of {page}"})
try:
    client.wait(waiting["executionId"], timeout_seconds=0)
    timed_out = False
except WaitTimeout:
    timed_out = True
client.stop_execution(waiting["executionId"])

try:
    client.get_execution_status("unknown")
    problem = None
except Problem as error:
    problem = {"status": error.status, "code": error.code, "requestId": error.request_id is not None}
try:
    Prompthook("http://prompthook.example", "key")
    plain = "accepted"
except ValueError:
    plain = "refused"


async def several() -> list[object]:
    """Runs two executions at once, and reads the events and the list as they come."""
    api = AsyncPrompthook(sys.argv[1], sys.argv[2])
    results = await asyncio.gather(*[api.run({"prompt": prompt}) for _ in range(2)])
    events = [event["type"] async for event in api.stream(results[0]["executionId"])]
    rows = [row["executionId"] async for row in api.each(api.list_executions, limit=1)]
    try:
        await api.wait(waiting["executionId"] + "0", timeout_seconds=5)
        refused = None
    except Problem as error:
        refused = error.execution_id == waiting["executionId"] + "0"
    return [[one["status"] for one in results], events[-1], len(rows), refused]


folder = Path(prompthook.__file__).parent
print(
    json.dumps(
        {
            "installed": folder.parent.name,
            "typed": (folder / "py.typed").exists(),
            "status": result["status"],
            "last progress": said[-1],
            "first and last event": [types[0], types[-1]],
            "callback": delivery.wait(20),
            "verdicts": verdicts,
            "one execution for one key": len({each["executionId"] for each in repeated}) == 1,
            "listed": len(list(client.each(client.list_executions, limit=1))),
            "timed out": timed_out,
            "problem": problem,
            "plain HTTP": plain,
            "async": asyncio.run(several()),
        }
    )
)
