/** The pprof format (`profile.proto`): stack samples with their values. */
import { gzipSync } from 'node:zlib';
import { encode, field, packed, repeated } from '@coxswain/protobuf';

export interface ProfileNode {
  readonly functionName: string;
  readonly url: string;
  /** Starts at 1. */
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

/** Strings are stored as indexes into `stringTable`. */
const ValueTypeMessage = { type: field(1, 'int64'), unit: field(2, 'int64') };

const Profile = {
  sampleType: repeated(1, ValueTypeMessage),
  sample: repeated(2, { locationId: packed(1, 'int64'), value: packed(2, 'int64') }),
  location: repeated(4, {
    id: field(1, 'int64'),
    line: repeated(4, { functionId: field(1, 'int64'), line: field(2, 'int64') }),
  }),
  function: repeated(5, {
    id: field(1, 'int64'),
    name: field(2, 'int64'),
    systemName: field(3, 'int64'),
    filename: field(4, 'int64'),
  }),
  stringTable: repeated(6, 'string'),
  timeNanos: field(9, 'int64'),
  durationNanos: field(10, 'int64'),
  periodType: field(11, ValueTypeMessage),
  period: field(12, 'int64'),
};

const nanosInMs = 1_000_000;

export function pprofBytes(profile: PprofProfile): Uint8Array {
  const strings = new StringTable();
  const valueType = ({ type, unit }: ValueType) => ({ type: strings.of(type), unit: strings.of(unit) });
  const message = {
    sampleType: profile.sampleTypes.map(valueType),
    sample: profile.samples.map(({ stack, values }) => ({
      locationId: stack.map((node) => node + 1),
      value: values.map(count),
    })),
    location: profile.nodes.map(({ line }, index) => ({
      id: index + 1,
      line: [{ functionId: index + 1, line: count(line) }],
    })),
    function: profile.nodes.map(({ functionName, url }, index) => {
      const name = strings.of(functionName === '' ? '(anonymous)' : functionName);
      return { id: index + 1, name, systemName: name, filename: strings.of(url) };
    }),
    timeNanos: count(profile.startedAtMs * nanosInMs),
    durationNanos: count(profile.durationMs * nanosInMs),
    periodType: valueType(profile.periodType),
    period: count(profile.period),
  };
  return gzipSync(encode(Profile, { ...message, stringTable: strings.all() }));
}

/** A measurement may be fractional, or negative if a clock was set back. */
const count = (value: number): number => Math.max(0, Math.round(value));

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
