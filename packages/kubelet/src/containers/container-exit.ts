/** Determines how a container ended, and whom it ran as, from the runtime's status and the container's termination message. */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { ContainerUser } from '@coxswain/api/core/v1/container-status.ts';
import type { Decoded } from '@coxswain/protobuf';
import { ContainerState, type ContainerStatus } from '../cri/container-messages.ts';
import { recordOf } from '../cri/shared-messages.ts';
import type { ContainerExit } from '../runtime.ts';
import { terminationMessagePathAnnotation, terminationMessagePolicyAnnotation } from './labels.ts';
import { logMessageLinesMax, messageBytesMax, messageFromLog } from '../pod/termination-message.ts';
import { parseLogLine } from './log-line.ts';

/** Of the log: its last lines with their times. */
const logTailBytes = 8192;

export type CriContainerStatus = Decoded<typeof ContainerStatus>;

export const millisecondsOf = (nanoseconds: number): number => Math.floor(nanoseconds / 1e6);

export const hasEnded = ({ state }: Pick<CriContainerStatus, 'state'>): boolean =>
  state === ContainerState.exited || state === ContainerState.unknown;

export function userOf({ user }: CriContainerStatus): ContainerUser | undefined {
  if (user?.linux === undefined) return undefined;
  const { uid, gid, supplementalGroups } = user.linux;
  return { linux: { uid, gid, ...(supplementalGroups.length > 0 && { supplementalGroups }) } };
}

export async function containerExit(status: CriContainerStatus, nowMs: number): Promise<ContainerExit> {
  const { exitCode, reason, finishedAt } = status;
  const message = [status.message, await terminationMessage(status)].filter(Boolean).join(': ');
  return {
    exitCode,
    reason: reason || (exitCode === 0 ? 'Completed' : 'Error'),
    ...(message === '' ? {} : { message }),
    finishedMs: finishedAt > 0 ? millisecondsOf(finishedAt) : nowMs,
  };
}

async function terminationMessage(status: CriContainerStatus): Promise<string> {
  const annotations = recordOf(status.annotations);
  const file = annotations[terminationMessagePathAnnotation] ?? '';
  const mount = status.mounts.find(({ containerPath }) => file !== '' && containerPath === file);
  if (mount !== undefined) {
    const text = await lastBytes(mount.hostPath, messageBytesMax);
    if (text !== '') return text;
  }
  const fallsBack = annotations[terminationMessagePolicyAnnotation] === 'FallbackToLogsOnError';
  return fallsBack && status.exitCode !== 0 ? endOfLog(status.logPath) : '';
}

async function endOfLog(file: string): Promise<string> {
  const text = await lastBytes(file, logTailBytes);
  const lines = text.split('\n').filter(Boolean).slice(-logMessageLinesMax);
  const said = lines
    .map((line) => parseLogLine(line))
    .map((line) => (line === undefined ? '' : line.text + (line.isPartial ? '' : '\n')));
  return messageFromLog(said);
}

/** Returns empty text if there is no such file. */
async function lastBytes(file: string, bytesMax: number): Promise<string> {
  try {
    // A pod can mount a pipe there, and who opens one waits for a writer.
    const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const { size } = await handle.stat();
      const length = Math.min(size, bytesMax);
      const { buffer } = await handle.read(Buffer.alloc(length), 0, length, size - length);
      return buffer.toString('utf8');
    } finally {
      await handle.close();
    }
  } catch {
    return '';
  }
}
