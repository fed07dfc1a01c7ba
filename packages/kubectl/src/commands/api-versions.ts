import { command, usageError } from '../command.ts';
import type { CommandContext } from '../context.ts';
import { asError, ConnectionError } from '../errors.ts';
import type { ResourceMapping } from '../mapping.ts';

export const apiVersions = command({
  use: 'api-versions',
  long: 'Print the API versions that the server supports, as "group/version".',
  disableFlagsInUseLine: true,
  async run(invocation) {
    const { context, args } = invocation;
    if (args.length > 0) throw usageError(invocation, `unexpected arguments: [${args.join(' ')}]`);
    const resources = await askAgain(context);
    const versions = new Set(
      resources.map(({ group, version }) => (group === '' ? version : `${group}/${version}`)),
    );
    context.print(
      [...versions]
        .sort()
        .map((version) => `${version}\n`)
        .join(''),
    );
  },
});

/** Queries the server regardless of the cache. */
async function askAgain(context: CommandContext): Promise<readonly ResourceMapping[]> {
  const connection = await context.connection();
  const mapper = await connection.mapper();
  mapper.invalidate();
  try {
    return await mapper.all();
  } catch (failure) {
    const { address } = (await connection.rest()).transport;
    const reason =
      failure instanceof ConnectionError
        ? failure.ofGet(`${address}/api?timeout=32s`)
        : asError(failure).message;
    throw new Error(`couldn't get available api versions from server: ${reason}`, { cause: failure });
  }
}
