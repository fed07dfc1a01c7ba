/** A server's OpenAPI documents: recorded, of an in-process server, or of a running one. */
import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';

export interface Documents {
  readonly v2: unknown;
  /** By path, as in the index: `apis/apps/v1`. */
  readonly v3: Readonly<Record<string, unknown>>;
}

/** The documents of a default server of Kubernetes 1.36.3, and of one with `--runtime-config=api/all=true`. */
export type Recording = 'default' | 'all';

const recordingOf = (name: Recording): URL => new URL(`recorded/${name}.json.gz`, import.meta.url);

export const recordedDocuments = (name: Recording): Documents =>
  JSON.parse(gunzipSync(readFileSync(recordingOf(name))).toString()) as Documents;

export function record(name: Recording, { v2, v3 }: Documents): void {
  const plain = Object.fromEntries(
    Object.entries(v3).map(([path, document]) => [path, withoutDescriptions(document)]),
  );
  const text = JSON.stringify({ v2: withoutDescriptions(v2), v3: plain });
  writeFileSync(recordingOf(name), gzipSync(text, { level: 9 }));
}

/** @throws Error when a path of the index is not served */
export async function documentsOf(read: (path: string) => Promise<unknown>): Promise<Documents> {
  const index = (await read('/openapi/v3')) as { readonly paths: Readonly<Record<string, unknown>> };
  const v3: Record<string, unknown> = {};
  for (const path of Object.keys(index.paths)) v3[path] = await read(`/openapi/v3/${path}`);
  return { v2: await read('/openapi/v2'), v3 };
}

export const readFrom =
  (server: string, token: string) =>
  async (path: string): Promise<unknown> => {
    const headers = { accept: 'application/json', authorization: `Bearer ${token}` };
    const response = await fetch(`${server}${path}`, { headers });
    if (!response.ok) throw new Error(`GET ${path}: ${response.status}`);
    return response.json();
  };

/** The members of these are API names, not OpenAPI keywords: a property may be called description. */
const named: ReadonlySet<string> = new Set(['properties', 'definitions', 'schemas', 'paths', 'parameters']);

/** Descriptions of responses are kept: `OK` is not prose. */
export function withoutDescriptions(value: unknown, isNamed = false, isAnswer = false): unknown {
  if (Array.isArray(value)) return value.map((element) => withoutDescriptions(element));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, member]) => isNamed || isAnswer || key !== 'description' || typeof member !== 'string')
      .map(([key, member]) => [
        key,
        key === 'responses' && !isNamed
          ? withoutAnswersDescriptions(member)
          : withoutDescriptions(member, named.has(key) && !isNamed),
      ]),
  );
}

const withoutAnswersDescriptions = (answers: unknown): unknown =>
  Object.fromEntries(
    Object.entries(answers as object).map(([status, answer]) => [
      status,
      withoutDescriptions(answer, false, true),
    ]),
  );
