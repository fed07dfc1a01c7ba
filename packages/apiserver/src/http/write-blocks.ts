import { giveBack } from './blocks.ts';

type Written = (failure?: Error | null) => void;

interface BlockTarget {
  write(bytes: Uint8Array, written: Written): boolean;
  end(bytes: Uint8Array, written: Written): void;
  end(): void;
  once(event: 'drain', listener: () => void): unknown;
  readonly destroyed: boolean;
}

/** Writes as fast as the client reads: no further block is made while it is behind. */
export function writeBlocks(target: BlockTarget, body: Iterable<Uint8Array>): void {
  const blocks = body[Symbol.iterator]();
  let next = blocks.next();
  const goOn = () => {
    while (!next.done) {
      if (target.destroyed) return;
      const block = next.value;
      next = blocks.next();
      const written: Written = (failure) => {
        if (failure === undefined || failure === null) giveBack(block);
      };
      if (next.done) return target.end(block, written);
      if (!target.write(block, written)) {
        target.once('drain', goOn);
        return;
      }
    }
    target.end();
  };
  goOn();
}
