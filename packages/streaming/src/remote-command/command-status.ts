/** The result of a command as sent on the error stream: the part of metav1.Status that the kubelet writes. */

import { messageOf } from '@coxswain/apimachinery/message-of.ts';

export interface CommandStatus {
  readonly status: 'Success' | 'Failure';
  readonly message?: string;
  readonly reason?: string;
  readonly details?: { readonly causes?: readonly { readonly reason?: string; readonly message: string }[] };
  readonly code?: number;
}

export const success: CommandStatus = { status: 'Success' };

/** `why` is the message of the runtime. */
export const exited = (code: number, why: string): CommandStatus =>
  code === 0
    ? success
    : {
        status: 'Failure',
        message: `command terminated with non-zero exit code: ${why}`,
        reason: 'NonZeroExitCode',
        details: { causes: [{ reason: 'ExitCode', message: String(code) }] },
      };

export const failed = (why: string): CommandStatus => ({
  status: 'Failure',
  message: `Internal error occurred: ${why}`,
  reason: 'InternalError',
  details: { causes: [{ message: why }] },
  code: 500,
});

/** The command ran and exited with a code other than 0. */
export class CommandExit extends Error {
  readonly code: number;

  constructor(code: number) {
    super(`command terminated with exit code ${code}`);
    this.code = code;
  }
}

/** Before `v4`, failures are sent as text that contains the exit code. */
export const olderFailureOf = (text: string): Error | undefined =>
  text === '' ? undefined : new Error(`error executing remote command: ${text}`);

/** Interprets the bytes of a `v4` error stream: undefined for success, otherwise the error. */
export function failureOf(text: string): Error | undefined {
  if (text === '') return undefined;
  let status: Partial<CommandStatus>;
  try {
    status = JSON.parse(text) as Partial<CommandStatus>;
  } catch (failure) {
    return new Error(`error stream protocol error: ${messageOf(failure)} in ${JSON.stringify(text)}`);
  }
  if (status.status === 'Success') return undefined;
  if (status.status !== 'Failure') return new Error('error stream protocol error: unknown error');
  if (status.reason !== 'NonZeroExitCode') return new Error(status.message ?? '');
  const { details } = status;
  if (details === undefined) return new Error('error stream protocol error: details must be set');
  const code = details.causes?.find(({ reason }) => reason === 'ExitCode')?.message;
  if (code === undefined) return new Error('error stream protocol error: no ExitCode cause given');
  if (!/^\d+$/.test(code) || Number(code) > 255)
    return new Error(`error stream protocol error: invalid exit code value ${JSON.stringify(code)}`);
  return new CommandExit(Number(code));
}
