/** Rules for frames that do not depend on a stream: where a type may occur, and its length. */
import {
  ConnectionFailure,
  errorCodes,
  flags,
  frameTypes,
  priorityBytes,
  settingBytes,
  streamIdMost,
  type Frame,
} from './frame.ts';

interface FrameRule {
  /** Whether it belongs to a stream, to the connection (stream 0), or to either. */
  readonly of: 'stream' | 'connection' | 'either';
  /** The exact size of its payload. */
  readonly bytes?: number;
}

const rules: Readonly<Record<number, FrameRule>> = {
  [frameTypes.data]: { of: 'stream' },
  [frameTypes.headers]: { of: 'stream' },
  [frameTypes.priority]: { of: 'stream' },
  [frameTypes.resetStream]: { of: 'stream', bytes: 4 },
  [frameTypes.settings]: { of: 'connection' },
  [frameTypes.ping]: { of: 'connection', bytes: 8 },
  [frameTypes.goAway]: { of: 'connection' },
  [frameTypes.windowUpdate]: { of: 'either', bytes: 4 },
  [frameTypes.continuation]: { of: 'stream' },
};

/** @throws ConnectionFailure if the frame violates the rules of its type; unknown types have none */
export function checkFrame({ type, streamId, flags: bits, start, end }: Frame): void {
  const rule = rules[type];
  if (rule === undefined) return;
  if (rule.of !== 'either' && (rule.of === 'stream') !== (streamId !== 0))
    throw new ConnectionFailure(errorCodes.protocol, `a frame of type ${type} on stream ${streamId}`);
  if (rule.bytes !== undefined && end - start !== rule.bytes)
    throw new ConnectionFailure(errorCodes.frameSize, `a frame of type ${type} with ${end - start} bytes`);
  if (type === frameTypes.settings) checkSettingsLength(bits, end - start);
}

function checkSettingsLength(bits: number, bytes: number): void {
  const isAck = (bits & flags.ack) !== 0;
  if (isAck ? bytes !== 0 : bytes % settingBytes !== 0)
    throw new ConnectionFailure(errorCodes.frameSize, `settings of ${bytes} bytes`);
}

/**
 * The frame without its padding.
 * @throws ConnectionFailure
 */
export function unpadded(frame: Frame): Frame {
  if ((frame.flags & flags.padded) === 0) return frame;
  const { bytes, start, end } = frame;
  const paddingBytes = bytes[start] ?? 0;
  if (start === end || paddingBytes >= end - start)
    throw new ConnectionFailure(errorCodes.protocol, 'more padding than there is room for');
  return { ...frame, start: start + 1, end: end - paddingBytes };
}

/**
 * Priorities are ignored, but a stream cannot depend on itself.
 * @throws ConnectionFailure
 */
export function checkPriority({ streamId, bytes, start, end }: Frame): void {
  if (end - start < priorityBytes) throw new ConnectionFailure(errorCodes.frameSize, 'a priority is cut off');
  if ((bytes.readUInt32BE(start) & streamIdMost) === streamId)
    throw new ConnectionFailure(errorCodes.protocol, 'a stream depends on itself');
}
