/**
 * Compares the structure of OpenAPI documents without descriptions, and prints every difference:
 *
 *     npm run openapi-diff                                    ours, in this process, with the recorded ones
 *     npm run openapi-diff -- --all                           both with --runtime-config=api/all=true
 *     npm run openapi-diff -- --server URL --token TOKEN      a running server with the recorded ones
 *     npm run openapi-diff -- --original URL --token TOKEN    ours with a running upstream server
 *     npm run openapi-diff -- --original URL --record         records anew
 *
 * Exit status 1 if anything differs. Certificates are not verified.
 */
import { parseArgs } from 'node:util';
import { differencesOfDocuments } from './difference.ts';
import { documentsOf, readFrom, record, recordedDocuments, type Documents } from './documents.ts';
import { ownDocuments } from './own-documents.ts';

const { values } = parseArgs({
  options: {
    all: { type: 'boolean', default: false },
    server: { type: 'string' },
    original: { type: 'string' },
    token: { type: 'string', default: '' },
    record: { type: 'boolean', default: false },
    show: { type: 'string', default: '50' },
  },
});
if (values.server ?? values.original) process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';

const name = values.all ? 'all' : 'default';
const expected = await documentsAt(values.original, () => recordedDocuments(name));
if (values.record) {
  record(name, expected);
} else {
  const actual = await documentsAt(values.server, () => ownDocuments(name));
  const differences = differencesOfDocuments(expected, actual);
  for (const { path, expected: left, actual: right } of differences.slice(0, Number(values.show))) {
    console.log(`${path}\n  original ${shortText(left)}\n  ours     ${shortText(right)}`);
  }
  console.log(`${Object.keys(expected.v3).length} documents and v2: ${differences.length} differences`);
  process.exitCode = differences.length === 0 ? 0 : 1;
}

async function documentsAt(
  server: string | undefined,
  otherwise: () => Documents | Promise<Documents>,
): Promise<Documents> {
  return server === undefined ? otherwise() : documentsOf(readFrom(server, values.token));
}

function shortText(value: unknown): string {
  return (JSON.stringify(value) ?? '(absent)').slice(0, 300);
}
