/** The patch strategies of a kind, from the server's OpenAPI. */
import type { CommandContext } from '../context.ts';
import { openApiFor } from '../openapi/documents.ts';
import { noPatchSchema, openApiPatchSchema, type PatchSchema } from './patch-schema.ts';

/** Kinds that the server doesn't describe have no known strategies. */
export async function patchSchemaOf(
  context: CommandContext,
  group: string,
  version: string,
  kind: string,
): Promise<PatchSchema> {
  const found = await openApiFor(context, group, version, kind).catch(() => undefined);
  return found === undefined ? noPatchSchema : openApiPatchSchema(found.schemas, found.schema);
}
