import { command, usageError } from '../command.ts';

export const apiVersions = command({
  use: 'api-versions',
  long: 'Print the API versions that the server has, as "group/version".',
  disableFlagsInUseLine: true,
  async run(invocation) {
    const { context, args } = invocation;
    if (args.length > 0) throw usageError(invocation, `unexpected arguments: [${args.join(' ')}]`);
    const resources = await (await context.mapper()).all();
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
