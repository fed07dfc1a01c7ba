/** A netlink socket to the kernel's packet filter, through Node's FFI. */
import process from 'node:process';

/** The batch is in effect. @throws Error if the kernel rejected it; it then has no effect */
export type SendBatch = (batch: Uint8Array) => void;

type Call = (...values: readonly (number | bigint | Uint8Array)[]) => number | bigint;

interface ForeignFunctions {
  dlopen(name: string, functions: object): { readonly functions: Readonly<Record<string, Call>> };
}

/** netlink(7), socket(2), recv(2) */
const netlink = { family: 16, raw: 3, closeOnExec: 0x8_0000, netfilter: 12 } as const;
const dontWait = 0x40;
const errorMessage = 2;
const replyLengthMax = 65_536;

/** Undefined if it is not available. When `send` returns, the kernel has processed the batch. */
export function openKernelSocket(): SendBatch | undefined {
  const calls = libraryCalls();
  if (calls === undefined) return undefined;
  const { socket, send, recv } = calls;
  const descriptor = Number(socket?.(netlink.family, netlink.raw | netlink.closeOnExec, netlink.netfilter));
  if (!(descriptor >= 0)) return undefined;
  const reply = new Uint8Array(replyLengthMax);
  const nextReply = (): number => Number(recv?.(descriptor, reply, BigInt(replyLengthMax), dontWait) ?? -1);
  return (batch) => {
    if (Number(send?.(descriptor, batch, BigInt(batch.length), 0)) !== batch.length)
      throw new Error('the packet filter does not accept batches');
    let refusal = 0;
    for (let length = nextReply(); length > 0; length = nextReply())
      refusal ||= firstError(new DataView(reply.buffer, 0, length));
    if (refusal !== 0) throw new Error(`the packet filter rejected a batch: error ${refusal}`);
  };
}

/** An error number of errno(3), or 0 for success. */
function firstError(view: DataView): number {
  for (let at = 0; at + 20 <= view.byteLength;) {
    const length = view.getUint32(at, true);
    const code = view.getUint16(at + 4, true) === errorMessage ? -view.getInt32(at + 16, true) : 0;
    if (code !== 0) return code;
    if (length < 16) return 0;
    at += (length + 3) & ~3;
  }
  return 0;
}

function libraryCalls(): Readonly<Record<string, Call>> | undefined {
  if (process.platform !== 'linux') return undefined;
  const { emitWarning } = process;
  // Suppresses the warning that the FFI is experimental.
  process.emitWarning = () => {};
  try {
    const ffi = process.getBuiltinModule('node:ffi') as unknown as ForeignFunctions | undefined;
    return ffi?.dlopen('libc.so.6', {
      socket: { arguments: ['i32', 'i32', 'i32'], return: 'i32' },
      send: { arguments: ['i32', 'buffer', 'u64', 'i32'], return: 'i64' },
      recv: { arguments: ['i32', 'buffer', 'u64', 'i32'], return: 'i64' },
    }).functions;
  } catch {
    return undefined;
  } finally {
    process.emitWarning = emitWarning;
  }
}
