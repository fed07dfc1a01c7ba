import { bool, string, stringSlice } from '@coxswain/cobra';
import { command, nameFromArguments } from '../../command.ts';
import { readKeys, toBase64 } from './key-files.ts';
import { createSecret, secretData, secretKeyRules } from './secret-data.ts';
import { createFlags, creating } from './create-object.ts';

const configKey = '.dockerconfigjson';

/** Upstream's default. */
const dockerHubHost = 'index.docker.io';

export const secretDockerRegistry = command({
  use: 'docker-registry NAME --docker-username=user --docker-password=password --docker-email=email [--docker-server=string] [--from-file=[key=]source] [--dry-run=server|client|none]',
  long: 'Create a Secret that nodes use to pull images from a registry.',
  example: `  # Credentials of a registry
  kubectl create secret docker-registry pull --docker-server=registry.example.com --docker-username=ann --docker-password=hunter2`,
  disableFlagsInUseLine: true,
  flags: {
    ...createFlags,
    dockerUsername: string({ usage: 'Username for the registry.' }),
    dockerPassword: string({ usage: 'Password for the registry.' }),
    dockerEmail: string({ usage: 'Email address for the registry.' }),
    dockerServer: string({
      usage: 'Server location of the registry.',
      default: `https://${dockerHubHost}/v1/`,
    }),
    appendHash: bool({ usage: 'Append a hash of the content to the name of the object.' }),
    fromFile: stringSlice({ usage: `A Docker configuration file. The default key is ${configKey}.` }),
  },
  async run(invocation) {
    const { flags, context } = invocation;
    const name = nameFromArguments(invocation);
    const create = await creating(invocation, flags, name);
    const {
      dockerUsername: username,
      dockerPassword: password,
      dockerEmail: email,
      dockerServer: server,
    } = flags;
    if (flags.fromFile.length === 0 && (username === '' || password === '' || server === '')) {
      throw new Error(
        'either --from-file or the combination of --docker-username, --docker-password and --docker-server is required',
      );
    }
    const fromFile = flags.fromFile.map((source) =>
      source.includes('=') ? source : `${configKey}=${source}`,
    );
    const data =
      fromFile.length > 0
        ? secretData(readKeys({ fromFile, fromLiteral: [], fromEnvFile: [] }, secretKeyRules, context.io))
        : { [configKey]: toBase64(credentials(server, username, password, email)) };
    await createSecret(
      create,
      { name, appendHash: flags.appendHash },
      'kubernetes.io/dockerconfigjson',
      data,
    );
  },
});

const credentials = (server: string, username: string, password: string, email: string): string =>
  JSON.stringify({
    auths: {
      [server]: {
        username,
        password,
        ...(email === '' ? {} : { email }),
        auth: toBase64(`${username}:${password}`),
      },
    },
  });
