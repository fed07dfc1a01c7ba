import { flags, frameHeadBytes, frameOf, frameTypes } from './frame.ts';

/** @param payload eight bytes, which the acknowledgement returns */
export const pingFrame = (payload: Uint8Array): Buffer => frameWith(payload, 0);

export const pingAnswer = (payload: Uint8Array): Buffer => frameWith(payload, flags.ack);

function frameWith(payload: Uint8Array, bits: number): Buffer {
  const frame = frameOf(frameTypes.ping, bits, 0, payload.length);
  frame.set(payload, frameHeadBytes);
  return frame;
}
