/** One question over UDP, and its answer as lines that can be compared. */
import { createSocket } from 'node:dgram';
import packet, { type Answer, type DecodedPacket, type RecordType } from 'dns-packet';

const patienceMs = 3_000;

/** The response code and the records, in no order; `no answer` when none came. */
export async function ask(port: number, name: string, type: string): Promise<readonly string[]> {
  const socket = createSocket('udp4');
  const answered = new Promise<Buffer | undefined>((resolve) => {
    const timer = setTimeout(() => resolve(undefined), patienceMs);
    socket.once('message', (bytes) => {
      clearTimeout(timer);
      resolve(bytes);
    });
  });
  const question = packet.encode({
    type: 'query',
    id: 1,
    flags: packet.RECURSION_DESIRED,
    questions: [{ name, type: type as RecordType }],
    additionals: [{ type: 'OPT', name: '.', udpPayloadSize: 4096, flags: 0, options: [] } as never],
  });
  socket.send(question, port, '127.0.0.1');
  const bytes = await answered;
  socket.close();
  return bytes === undefined ? ['no answer'] : linesOf(packet.decode(bytes));
}

function linesOf(message: DecodedPacket): readonly string[] {
  const { rcode } = message as DecodedPacket & { readonly rcode: string };
  const sections = ['answers', 'authorities', 'additionals'] as const;
  return [
    rcode,
    ...sections
      .flatMap((section) => (message[section] ?? []).map((record) => `${section} ${recordLine(record)}`))
      .filter((line) => !line.includes(' OPT '))
      .sort(),
  ];
}

/** What stands in an SOA besides its name is each server's own. */
function recordLine(record: Answer): string {
  const { name, type, ttl, data } = record as Answer & { readonly ttl: number; readonly data: unknown };
  return `${name} ${type} ${ttl} ${type === 'SOA' ? '' : JSON.stringify(data)}`;
}
