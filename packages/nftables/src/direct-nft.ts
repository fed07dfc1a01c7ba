/**
 * Sends small transactions to the kernel directly. `nft` reads the names of all chains first, which takes longer than
 * the change itself. Transactions that are not supported here, and those that the kernel rejects, go through nft. Sets
 * with ranges cannot be recognized by the commands that fill them, so users of such sets must use nft only.
 */
import { encodeTransaction } from './netlink/encode-transaction.ts';
import { openKernelSocket, type SendBatch } from './netlink/kernel-socket.ts';
import { runNft, type RunNft } from './run-nft.ts';

/** This process waits for the kernel, so longer transactions are left to a separate process. */
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

/** A rejected transaction has no effect; nft reports the reason if it fails, too. */
function isSent(send: SendBatch, batch: Uint8Array): boolean {
  try {
    send(batch);
    return true;
  } catch {
    return false;
  }
}
