/** The server's OpenAPI v3: a document for each group and version, read when one of its kinds is first edited. */

import { parseApiVersion } from '@coxswain/apimachinery';
import { groupVersionPath } from '@coxswain/client';
import { client } from '../../cluster/cluster.ts';
import { schemaOfKind, type KindSchema, type OpenApiDocument } from './kind-schema.ts';

const documents = new Map<string, Promise<OpenApiDocument | undefined>>();

/** Documents are discarded beyond this number, since definitions of custom kinds change. */
const keptMax = 12;

/** @returns undefined if the server describes no such kind or does not answer */
export async function readSchema(apiVersion: string, kind: string): Promise<KindSchema | undefined> {
  if (apiVersion === '' || kind === '') return undefined;
  const { group, version } = parseApiVersion(apiVersion);
  const document = await documentOf(group, version);
  return document && schemaOfKind(document, group, version, kind);
}

function documentOf(group: string, version: string): Promise<OpenApiDocument | undefined> {
  const path = `/openapi/v3${groupVersionPath({ group, version })}`;
  const known = documents.get(path);
  if (known !== undefined) return known;
  if (documents.size >= keptMax) documents.clear();
  const reading = client.rest.request<OpenApiDocument>({ verb: 'GET', path }).catch(() => {
    documents.delete(path);
    return undefined;
  });
  documents.set(path, reading);
  return reading;
}
