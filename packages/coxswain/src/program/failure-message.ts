/** Error messages of this program, in plain words. */

import { statSync } from 'node:fs';
import { ArgumentCountError, FlagError } from '@coxswain/cobra';
import { systemReason } from '@coxswain/storage/directory/private-files.ts';

/**
 * Flag errors of Kubernetes' own programs keep upstream's messages, which name Go functions; those of this program
 * don't.
 */
export function failureMessage(failure: unknown, args: readonly string[]): string {
  if (!(failure instanceof Error)) return String(failure);
  if (failure instanceof ArgumentCountError) return `${failure.message}; usage: ${failure.usage}`;
  if (!(failure instanceof FlagError))
    return withoutCluster(failure) ?? unreachable(failure) ?? withSystemReason(failure, args);
  return failure.message.replace(/ flag: (?:strconv\.\w+: parsing "(?:[^"\\]|\\.)*"|time): /, ' flag: ');
}

/** client-go's text advises a variable that only kubectl reads. */
const withoutCluster = ({ name, message }: Error): string | undefined =>
  name === 'InvalidKubeconfig' && message.includes('no configuration has been provided')
    ? 'no kubeconfig found: set KUBECONFIG or --kubeconfig, or start a cluster with `coxswain up`'
    : undefined;

function unreachable(failure: Error): string | undefined {
  const { code, address, port } = failure as Error & {
    readonly code?: string;
    readonly address?: string;
    readonly port?: number;
  };
  if (code !== 'ECONNREFUSED' || port === undefined) return undefined;
  const host = address?.includes(':') ? `[${address}]` : address;
  return `nothing is listening on ${host}:${port}; \`coxswain status\` lists the clusters of this machine`;
}

/** `open nofile: no such file or directory`, whatever the error of the operating system is wrapped in. */
function withSystemReason(failure: Error, args: readonly string[]): string {
  let { message } = failure;
  for (let cause: unknown = failure; cause instanceof Error; cause = cause.cause) {
    const {
      code,
      errno,
      syscall,
      path = code === 'EISDIR' ? directoryIn(args) : undefined,
    } = cause as NodeJS.ErrnoException;
    if (errno === undefined || path === undefined) continue;
    const named = message.replace(cause.message, '').includes(path) ? '' : `${syscall} ${path}: `;
    message = message.replace(cause.message, `${named}${systemReason(cause)}`);
  }
  return message;
}

/** The directory that was given in place of a file: Node does not name what it could not read. */
const directoryIn = (args: readonly string[]): string | undefined =>
  args
    .map((arg) => arg.replace(/^-[^=]*=/, ''))
    .findLast((text) => statSync(text, { throwIfNoEntry: false })?.isDirectory() === true);
