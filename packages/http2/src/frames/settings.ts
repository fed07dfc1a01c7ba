import {
  ConnectionFailure,
  errorCodes,
  flags,
  frameHeadBytes,
  frameOf,
  frameTypes,
  payloadBytesDefault,
  payloadBytesMost,
  settingBytes,
  settingIds,
  windowBytesMost,
  type Frame,
} from './frame.ts';

export type Setting = readonly [id: number, value: number];

export function settingsFrame(settings: readonly Setting[]): Buffer {
  const frame = frameOf(frameTypes.settings, 0, 0, settings.length * settingBytes);
  let at = frameHeadBytes;
  for (const [id, value] of settings) at = frame.writeUInt32BE(value, frame.writeUInt16BE(id, at));
  return frame;
}

/**
 * In order, including unknown ids.
 * @throws ConnectionFailure for a value that a setting cannot have
 */
export function readSettings({ bytes, start, end }: Frame): Setting[] {
  const settings: Setting[] = [];
  for (let at = start; at < end; at += settingBytes) {
    const id = bytes.readUInt16BE(at);
    const value = bytes.readUInt32BE(at + 2);
    checkSetting(id, value);
    settings.push([id, value]);
  }
  return settings;
}

function checkSetting(id: number, value: number): void {
  if (id === settingIds.enablePush && value > 1)
    throw new ConnectionFailure(errorCodes.protocol, `pushing is on or off, not ${value}`);
  if (id === settingIds.initialWindowSize && value > windowBytesMost)
    throw new ConnectionFailure(errorCodes.flowControl, `a window of ${value} bytes`);
  if (id === settingIds.maxFrameSize && (value < payloadBytesDefault || value > payloadBytesMost))
    throw new ConnectionFailure(errorCodes.protocol, `frames of ${value} bytes`);
}

export const settingsAck: Buffer = frameOf(frameTypes.settings, flags.ack, 0, 0);
