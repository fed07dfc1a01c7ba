/** The server's OpenAPI v3, one document per group and version. */
import { formatDurationMs } from '@coxswain/apimachinery';
import { discoveryTimeoutMs } from '@coxswain/client/discovery/discovery-client.ts';
import { getJson } from '../api-client.ts';
import type { CommandContext } from '../context.ts';

export interface OpenApiSchema {
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly $ref?: string;
  readonly allOf?: readonly OpenApiSchema[];
  readonly oneOf?: readonly OpenApiSchema[];
  readonly properties?: Readonly<Record<string, OpenApiSchema>>;
  readonly items?: OpenApiSchema;
  readonly additionalProperties?: OpenApiSchema | boolean;
  readonly 'x-kubernetes-group-version-kind'?: readonly {
    readonly group: string;
    readonly version: string;
    readonly kind: string;
  }[];
  readonly 'x-kubernetes-patch-strategy'?: string;
  readonly 'x-kubernetes-patch-merge-key'?: string;
  readonly 'x-kubernetes-int-or-string'?: boolean;
}

export interface OpenApiDocument {
  readonly components?: { readonly schemas?: Readonly<Record<string, OpenApiSchema>> };
  readonly paths?: Readonly<Record<string, unknown>>;
}

interface OpenApiIndex {
  readonly paths: Readonly<Record<string, { readonly serverRelativeURL: string }>>;
}

/** Cached per command line, since documents are large and shared by all objects. */
const known = new WeakMap<CommandContext, Map<string, Promise<OpenApiDocument>>>();

/** Requested once per command line. @throws StatusError if the server has no such document */
function openApiDocument(context: CommandContext, group: string, version: string): Promise<OpenApiDocument> {
  const documents = known.get(context) ?? new Map<string, Promise<OpenApiDocument>>();
  known.set(context, documents);
  const key = `${group}/${version}`;
  const asked = documents.get(key) ?? askForDocument(context, group, version);
  documents.set(key, asked);
  asked.catch(() => documents.delete(key));
  return asked;
}

async function askForDocument(
  context: CommandContext,
  group: string,
  version: string,
): Promise<OpenApiDocument> {
  const client = await context.client();
  const timeout = formatDurationMs(context.requestTimeoutMs || discoveryTimeoutMs);
  const index = await getJson<OpenApiIndex>(client, `/openapi/v3?timeout=${timeout}`, {
    accept: 'application/json, */*',
  });
  const found = index.paths[group === '' ? `api/${version}` : `apis/${group}/${version}`];
  if (found === undefined) throw new Error(`couldn't find resource for "${group}/${version}"`);
  const { serverRelativeURL: path } = found;
  return getJson<OpenApiDocument>(client, `${path}${path.includes('?') ? '&' : '?'}timeout=${timeout}`);
}

export interface KindSchema {
  readonly schemas: Readonly<Record<string, OpenApiSchema>>;
  readonly schema: OpenApiSchema;
}

/** Returns the schema of a kind and those that it refers to; undefined if the document lacks it. */
export async function openApiFor(
  context: CommandContext,
  group: string,
  version: string,
  kind: string,
): Promise<KindSchema | undefined> {
  const document = await openApiDocument(context, group, version);
  const schemas = document.components?.schemas ?? {};
  const schema = Object.values(schemas).find((one) =>
    one['x-kubernetes-group-version-kind']?.some(
      (gvk) => gvk.group === group && gvk.version === version && gvk.kind === kind,
    ),
  );
  return schema === undefined ? undefined : { schemas, schema };
}
