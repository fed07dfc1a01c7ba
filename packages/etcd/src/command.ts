/**
 * The `etcd` program: flags, and commands that need nothing else. The server itself is loaded only when it is started,
 * since envtest asks for the help before every start.
 */
import { FlagFailure, helpText, parseFlags, usage } from './flags.ts';
import type { EtcdIo } from './serve.ts';
import { versions } from './versions.ts';

/** Runs until `io.signal` aborts. Resolves with the exit status: 0, 1 if it cannot serve, 2 for invalid flags. */
export async function runEtcd(args: readonly string[], io: EtcdIo): Promise<number> {
  if (args.some((arg) => /^--?(h|help)$/.test(arg))) {
    io.out.write(helpText());
    return 0;
  }
  if (args.some((arg) => /^--?version$/.test(arg))) {
    io.out.write(`etcd Version: ${versions.etcdserver}\n`);
    return 0;
  }
  try {
    const flags = parseFlags(args, io.env);
    const { serve } = await import('./serve.ts');
    await serve(flags, io);
    return 0;
  } catch (failure) {
    if (failure instanceof FlagFailure) {
      io.err.write(`${failure.message}\n${usage}`);
      return 2;
    }
    io.err.write(`etcd: ${reasonOf(failure)}\n`);
    return 1;
  }
}

function reasonOf(failure: unknown): string {
  const { code, address, port, message } = failure as NodeJS.ErrnoException & {
    address?: string;
    port?: number;
  };
  if (code !== 'EADDRINUSE') return message;
  return `cannot listen on ${[address, port].filter((part) => part !== undefined && part !== -1).join(':')}: address already in use`;
}
