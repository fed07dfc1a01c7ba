/** Bytes pushed on one side can be read on the other; the writer waits while much is unread. */
export interface BytePipe extends AsyncIterable<Uint8Array> {
  write(chunk: Uint8Array): void | Promise<void>;
  /** Ends it, optionally with a failure. */
  end(failure?: Error): void;
}

const unreadBytesMax = 1024 * 1024;

export function bytePipe(): BytePipe {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  let ended: { readonly failure?: Error | undefined } | undefined;
  let wake = Promise.withResolvers<void>();
  let taken = Promise.withResolvers<void>();
  return {
    write(chunk) {
      chunks.push(chunk);
      bytes += chunk.length;
      wake.resolve();
      return bytes < unreadBytesMax ? undefined : taken.promise;
    },
    end(failure) {
      ended ??= { failure };
      wake.resolve();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const chunk = chunks.shift();
        if (chunk !== undefined) {
          bytes -= chunk.length;
          if (bytes < unreadBytesMax) {
            taken.resolve();
            taken = Promise.withResolvers();
          }
          yield chunk;
        } else if (ended !== undefined) {
          if (ended.failure !== undefined) throw ended.failure;
          return;
        } else {
          await wake.promise;
          wake = Promise.withResolvers();
        }
      }
    },
  };
}
