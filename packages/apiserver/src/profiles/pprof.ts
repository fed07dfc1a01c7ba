/** The format of pprof (`profile.proto`): samples of stacks, each with its numbers. */
import { gzipSync } from 'node:zlib';
import { bytesField, message, numberField, packedField, textField } from '../protobuf-writer.ts';

export interface ProfileNode {
  readonly functionName: string;
  readonly url: string;
  /** From 1. */
  readonly line: number;
}

export interface ProfileSample {
  /** Innermost first: indexes of nodes. */
  readonly stack: readonly number[];
  readonly values: readonly number[];
}

export interface ValueType {
  readonly type: string;
  readonly unit: string;
}

export interface PprofProfile {
  readonly sampleTypes: readonly ValueType[];
  readonly nodes: readonly ProfileNode[];
  readonly samples: readonly ProfileSample[];
  readonly startedAtMs: number;
  readonly durationMs: number;
  readonly periodType: ValueType;
  readonly period: number;
}

/** Field numbers of `Profile`. */
const field = {
  sampleType: 1,
  sample: 2,
  location: 4,
  function: 5,
  stringTable: 6,
  timeNanos: 9,
  durationNanos: 10,
  periodType: 11,
  period: 12,
} as const;

const nanosInMs = 1_000_000;

export function pprofBytes(profile: PprofProfile): Uint8Array {
  const strings = new StringTable();
  const valueType = ({ type, unit }: ValueType) =>
    message([numberField(1, strings.of(type)), numberField(2, strings.of(unit))]);
  const parts = [
    ...profile.sampleTypes.map((type) => bytesField(field.sampleType, valueType(type))),
    ...profile.samples.map(({ stack, values }) =>
      bytesField(
        field.sample,
        message([
          packedField(
            1,
            stack.map((node) => node + 1),
          ),
          packedField(2, values),
        ]),
      ),
    ),
    ...profile.nodes.map((node, index) => {
      const line = message([numberField(1, index + 1), numberField(2, node.line)]);
      return bytesField(field.location, message([numberField(1, index + 1), bytesField(4, line)]));
    }),
    ...profile.nodes.map(({ functionName, url }, index) => {
      const name = strings.of(functionName === '' ? '(anonymous)' : functionName);
      return bytesField(
        field.function,
        message([
          numberField(1, index + 1),
          numberField(2, name),
          numberField(3, name),
          numberField(4, strings.of(url)),
        ]),
      );
    }),
    numberField(field.timeNanos, Math.round(profile.startedAtMs * nanosInMs)),
    numberField(field.durationNanos, Math.round(profile.durationMs * nanosInMs)),
    bytesField(field.periodType, valueType(profile.periodType)),
    numberField(field.period, profile.period),
  ];
  const table = strings.all().map((text) => textField(field.stringTable, text));
  return gzipSync(Buffer.concat([...parts, ...table]));
}

class StringTable {
  readonly #indexes = new Map([['', 0]]);

  of(text: string): number {
    let index = this.#indexes.get(text);
    if (index === undefined) this.#indexes.set(text, (index = this.#indexes.size));
    return index;
  }

  all(): readonly string[] {
    return [...this.#indexes.keys()];
  }
}
