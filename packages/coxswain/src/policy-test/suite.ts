/** A file of test cases for admission policies: existing objects, requests, and the expected outcome. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { KubeObject } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { readYaml } from '@coxswain/apimachinery/yaml/read.ts';
import { objectsOf } from '../testing/manifests.ts';

export interface PolicySuite {
  /** Policies, bindings, their parameters, definitions, namespaces and roles, in the order of their creation. */
  readonly objects: readonly KubeObject[];
  readonly cases: readonly PolicyCase[];
}

export interface PolicyCase {
  readonly name: string;
  readonly as?: Requester;
  readonly request: CaseRequest;
  readonly expect: Expectation;
}

export interface Requester {
  readonly user: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** `before` exists when the request arrives; it was created while no policy was bound. */
export interface CaseRequest {
  readonly verb: 'create' | 'update' | 'delete';
  readonly before?: KubeObject;
  readonly object: KubeObject;
}

export interface Expectation {
  /** A part of the message, or true for any. If absent, the request must be allowed. */
  readonly denied?: string | true;
  /** Each is a part of one of the warnings; an empty list expects no warnings. */
  readonly warnings?: readonly string[];
  /** Fields of the object after admission, for mutating policies. */
  readonly object?: unknown;
}

interface WrittenSuite {
  readonly kind?: string;
  readonly objects?: readonly string[];
  readonly cases?: readonly WrittenCase[];
}

type Written = string | KubeObject;

interface WrittenCase {
  readonly name?: string;
  readonly as?: Requester;
  readonly create?: Written;
  readonly update?: { readonly from?: Written; readonly to?: Written };
  readonly delete?: Written;
  readonly expect?: Expectation & { readonly allowed?: boolean };
}

/** @throws Error naming the file and the case */
export function readSuite(file: string): PolicySuite {
  const written = readYaml(readFileSync(file, 'utf8')) as WrittenSuite | null;
  if (written?.kind !== 'PolicyTest')
    throw new Error(`${file}: a file of test cases must have "kind: PolicyTest"`);
  const directory = path.dirname(file);
  return {
    objects: (written.objects ?? []).flatMap((name) => objectsIn(path.join(directory, name))),
    cases: (written.cases ?? []).map((each, index) => {
      const name = each.name ?? `case ${index + 1}`;
      try {
        return caseOf(name, each, directory);
      } catch (failure) {
        throw new Error(`${file}: ${name}: ${messageOf(failure)}`, { cause: failure });
      }
    }),
  };
}

export const objectsIn = (file: string): readonly KubeObject[] => objectsOf(readFileSync(file, 'utf8'));

function caseOf(name: string, written: WrittenCase, directory: string): PolicyCase {
  const { as, expect = {} } = written;
  if (as !== undefined && !as.user) throw new Error('"as" requires a user');
  const { allowed, ...expectation } = expect;
  return {
    name,
    ...(as === undefined ? {} : { as }),
    request: requestOf(written, directory),
    expect: allowed === false ? { denied: true, ...expectation } : expectation,
  };
}

function requestOf(written: WrittenCase, directory: string): CaseRequest {
  const one = (value: Written | undefined, what: string): KubeObject => {
    if (value === undefined) throw new Error(`${what} requires an object or the name of a file with one`);
    const objects = typeof value === 'string' ? objectsIn(path.join(directory, value)) : objectsOf(value);
    if (objects.length !== 1) throw new Error(`${what} requires exactly one object, found ${objects.length}`);
    return objects[0]!;
  };
  if (written.create !== undefined) return { verb: 'create', object: one(written.create, 'create') };
  if (written.update !== undefined) {
    const { from, to } = written.update;
    return { verb: 'update', before: one(from, 'update.from'), object: one(to, 'update.to') };
  }
  if (written.delete !== undefined) {
    const object = one(written.delete, 'delete');
    return { verb: 'delete', before: object, object };
  }
  throw new Error('a case must have one of create, update and delete');
}
