import { writeYaml } from '@coxswain/apimachinery/yaml/write.ts';
import { bool, string } from '@coxswain/cobra';
import { getJson } from '../api-client.ts';
import { command } from '../command.ts';
import { clientVersion } from '../connection/user-agent.ts';
import { asError } from '../errors.ts';

/** Upstream's git and compiler information; we have neither, but programs read the fields. */
const clientInfo = {
  ...clientVersion,
  gitCommit: '',
  gitTreeState: '',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: '',
  compiler: 'node',
  platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`,
};

/** The version of kustomize in upstream's kubectl, which the built-in one follows. */
const kustomizeVersion = 'v5.8.1';

interface ServerInfo {
  readonly major: string;
  readonly minor: string;
  readonly gitVersion: string;
}

/** A larger difference of minor versions isn't supported. */
const skewMax = 1;

export const version = command({
  use: 'version',
  long: 'Print the versions of client and server.',
  example: `  # Both
  kubectl version

  # Only the client's
  kubectl version --client`,
  flags: {
    client: bool({ usage: 'Show only the client version, without contacting a server.' }),
    output: string({ shorthand: 'o', usage: 'Output format. One of: (json, yaml).' }),
  },
  async run({ context, flags, args }) {
    if (args.length > 0 && !flags.client) throw new Error(`extra arguments: [${args.join(' ')}]`);
    if (!['', 'json', 'yaml'].includes(flags.output)) {
      throw new Error(`--output must be 'yaml' or 'json'`);
    }
    let server: ServerInfo | undefined;
    let failure: Error | undefined;
    // Configuration errors are reported before anything else.
    const client = flags.client ? undefined : await context.client();
    if (client !== undefined) {
      try {
        server = await getJson<ServerInfo>(client, '/version');
      } catch (error) {
        failure = asError(error);
      }
    }
    const versions = {
      clientVersion: clientInfo,
      kustomizeVersion,
      ...(server === undefined ? {} : { serverVersion: server }),
    };
    if (flags.output === 'yaml') context.print(`${writeYaml(versions)}\n`);
    else if (flags.output === 'json') context.print(`${JSON.stringify(versions, null, 2)}\n`);
    else {
      context.print(`Client Version: ${clientInfo.gitVersion}\nKustomize Version: ${kustomizeVersion}\n`);
      if (server !== undefined) context.print(`Server Version: ${server.gitVersion}\n`);
    }
    if (failure !== undefined) throw failure;
    if (server !== undefined && skewOf(server) > skewMax) {
      context.warn(
        `version difference between client (${clientInfo.major}.${clientInfo.minor}) and server (${server.major}.${server.minor}) exceeds the supported minor version skew of +/-${skewMax}`,
      );
    }
  },
});

const skewOf = ({ minor }: ServerInfo): number =>
  Math.abs(Number.parseInt(minor, 10) - Number(clientInfo.minor));
