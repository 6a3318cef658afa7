import { createSocket } from "node:dgram";
import { once } from "node:events";
import { LOOPBACK } from "../../../scripts/local/ports.ts";

type NameRecord =
  | { type: "A"; address: [number, number, number, number] }
  | { type: "CNAME"; target: string };

const TYPES = { A: 1, CNAME: 5 };
const HEADER_BYTES = 12;
/** An answer of a resolver without a fault, and for a name that does not exist. */
const NO_ERROR = 0x8180;
const NO_SUCH_NAME = 0x8183;

/** Starts a resolver of names on loopback (RFC 1035) that has these records. */
export async function startNameServer(records: Record<string, NameRecord>) {
  const socket = createSocket("udp4", (query, { port, address }) => {
    const { name, type, question } = questionOf(query);
    const record = records[name];
    const answers = record !== undefined && TYPES[record.type] === type ? [answerOf(record)] : [];
    const header = Buffer.alloc(HEADER_BYTES);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(record === undefined ? NO_SUCH_NAME : NO_ERROR, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(answers.length, 6);
    socket.send(Buffer.concat([header, question, ...answers]), port, address);
  });
  socket.bind(0, LOOPBACK);
  await once(socket, "listening");
  return { address: `${LOOPBACK}:${socket.address().port}`, close: () => void socket.close() };
}

function questionOf(query: Buffer) {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  const question = query.subarray(HEADER_BYTES, at + 5);
  // Resolvers mix the case of what they ask, and compare the answer.
  return { name: labels.join(".").toLowerCase(), type: query.readUInt16BE(at + 1), question };
}

/** Returns a record of the name in the question. */
function answerOf(record: NameRecord): Buffer {
  const data = record.type === "A" ? Buffer.from(record.address) : encoded(record.target);
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc000 + HEADER_BYTES, 0);
  head.writeUInt16BE(TYPES[record.type], 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(60, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function encoded(name: string): Buffer {
  const labels = name.split(".").map((label) => Buffer.from([label.length, ...Buffer.from(label)]));
  return Buffer.concat([...labels, Buffer.from([0])]);
}
