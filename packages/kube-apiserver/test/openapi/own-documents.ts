/** Our documents, from an in-process server. */
import { recordedServer } from '../oracle/replay.ts';
import { testUsers } from '../oracle/play.ts';
import { documentsOf, type Documents, type Recording } from './documents.ts';

export async function ownDocuments(name: Recording): Promise<Documents> {
  const server = await recordedServer(name === 'all' ? { runtimeConfig: { 'api/all': true } } : {});
  const transport = server.inProcess(undefined, { structured: false });
  const headers = { accept: 'application/json', authorization: `Bearer ${testUsers.admin.token}` };
  const documents = await documentsOf(async (path) => {
    const response = await transport.send({ method: 'GET', path, headers });
    if (response.status !== 200) throw new Error(`GET ${path}: ${response.status}`);
    return JSON.parse(new TextDecoder().decode(await response.bytes()));
  });
  await server.stop();
  return documents;
}
