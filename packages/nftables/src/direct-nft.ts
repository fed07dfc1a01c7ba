/**
 * `nft` reads the names of all chains before it does anything, which takes longer than small changes themselves: those
 * that are understood here go to the kernel directly, all others, and those that it refuses, through nft. Sets of ranges
 * are told by no command that fills them: whoever has such sets uses nft alone.
 */
import { encodeTransaction } from './netlink/encode-transaction.ts';
import { openKernelSocket, type SendBatch } from './netlink/kernel-socket.ts';
import { runNft, type RunNft } from './run-nft.ts';

/** The kernel works while this process waits: longer ones are for a process of their own. */
const directLengthMax = 16_384;

/** For the network of this process. */
export function directNft(run: RunNft = runNft): RunNft {
  let send: SendBatch | undefined | 'unknown' = 'unknown';
  return async (args, input) => {
    if (args[0] === '-f' && args[1] === '-' && input.length <= directLengthMax) {
      const batch = encodeTransaction(input);
      if (batch !== undefined) {
        if (send === 'unknown') send = openKernelSocket();
        if (send !== undefined && isSent(send, batch)) return '';
      }
    }
    return run(args, input);
  };
}

/** What was refused left nothing behind; nft tells why, if it can't do it either. */
function isSent(send: SendBatch, batch: Uint8Array): boolean {
  try {
    send(batch);
    return true;
  } catch {
    return false;
  }
}
