import { bool, string } from '@coxswain/cobra';
import { command } from '../command.ts';
import { completeNames } from '../completion/resources.ts';
import type { CommandContext } from '../context.ts';
import { asError } from '../errors.ts';
import { SchemaExplanation } from '../explain/explain-schema.ts';
import { openApiFor } from '../openapi/documents.ts';
import type { ResourceMapping } from '../mapping.ts';

export const explain = command({
  use: 'explain TYPE [--recursive=FALSE|TRUE] [--api-version=api-version-group] [-o|--output=plaintext|plaintext-openapiv2]',
  long: `Show the documentation of a kind and its fields, or of a single field (TYPE.FIELD.FIELD).

 The documentation comes from the server.`,
  example: `  # A kind
  kubectl explain pods

  # All fields below it
  kubectl explain pods --recursive

  # A field
  kubectl explain pods.spec.containers`,
  disableFlagsInUseLine: true,
  complete: completeNames('crd'),
  flags: {
    apiVersion: string({ usage: 'Use this API version (group/version) of the resource.' }),
    output: string({
      shorthand: 'o',
      default: 'plaintext',
      usage: 'Format in which to print the schema. One of: (plaintext, plaintext-openapiv2).',
    }),
    recursive: bool({
      shorthand: 'R',
      usage: 'Print the names of all fields recursively, without descriptions.',
    }),
  },
  async run({ context, args, flags }) {
    const [subject = ''] = args;
    if (args.length === 0) {
      throw new Error(
        'You must specify the type of resource to explain. Use "kubectl api-resources" for a complete list of supported resources.\n',
      );
    }
    if (args.length > 1) throw new Error('We accept only this format: explain RESOURCE\n');
    if (subject === '') throw new Error('a resource must be present, got: /, Resource=');
    const { mapping, path } = await find(context, subject, flags.apiVersion === '');
    const [group, version] =
      flags.apiVersion === '' ? [mapping.group, mapping.version] : readApiVersion(flags.apiVersion);
    const isOld = flags.output === 'plaintext-openapiv2';
    const place = `${group}/${version}, ${isOld ? `Kind=${mapping.kind}` : `Resource=${mapping.resource}`}`;
    const found = await openApiFor(context, group, version, mapping.kind).catch((failure: unknown) => {
      const { message } = asError(failure);
      if (!message.startsWith("couldn't find resource")) throw failure;
      throw new Error(`couldn't find resource for "${place}"`, { cause: failure });
    });
    if (flags.output !== 'plaintext' && !isOld) throw new Error(`unrecognized format: ${flags.output}`);
    if (found === undefined)
      throw new Error(
        isOld ? `couldn't find resource for "${place}"` : `GVR (${place}) not found in OpenAPI schema`,
      );
    if (isOld) {
      const { explainPlainV2 } = await import('../explain/plain-v2.ts');
      const groupVersion = group === '' ? version : `${group}/${version}`;
      return context.print(
        explainPlainV2({ ...found, kind: mapping.kind, groupVersion }, path, flags.recursive),
      );
    }
    context.print(
      `${group === '' ? '' : `GROUP:      ${group}\n`}KIND:       ${mapping.kind}\nVERSION:    ${version}\n\n`,
    );
    context.print(new SchemaExplanation(found.schemas).explain(found.schema, path, flags.recursive));
  },
});

/** The first part names the resource, possibly followed by its group; the rest are fields. */
async function find(
  context: CommandContext,
  subject: string,
  mayHaveGroup: boolean,
): Promise<{ mapping: ResourceMapping; path: string[] }> {
  const [name = '', ...path] = subject.split('.');
  const mapper = await context.mapper();
  const mapping = await mapper.forResource(name);
  const named = mayHaveGroup
    ? (await mapper.all()).find(
        ({ resource, group }) =>
          resource === mapping.resource && group !== '' && subject.startsWith(`${resource}.${group}`),
      )
    : undefined;
  if (named === undefined) return { mapping, path: path.filter((part) => part !== '') };
  const rest = subject.slice(`${named.resource}.${named.group}`.length).split('.');
  return { mapping: named, path: rest.filter((part) => part !== '') };
}

function readApiVersion(text: string): [string, string] {
  const slash = text.indexOf('/');
  return slash < 0 ? ['', text] : [text.slice(0, slash), text.slice(slash + 1)];
}
