import type * as authentication from '@coxswain/api/authentication/v1/index.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { duration, string, stringArray } from '@coxswain/cobra';
import type { Live } from '@coxswain/apimachinery';
import { command, nameFromArguments } from '../../command.ts';
import type { CommandContext } from '../../context.ts';
import { completeNames } from '../../completion/resources.ts';
import { printFlags } from '../../flags/print.ts';
import { mappingOfTarget, objectPath } from '../../mapping.ts';
import { targets } from './create-object.ts';

const boundKinds: Readonly<Record<string, string>> = { Node: 'v1', Pod: 'v1', Secret: 'v1' };

export const token = command({
  use: 'token SERVICE_ACCOUNT_NAME',
  long: 'Request a token for a service account.',
  example: `  # A token for the API server
  kubectl create token robot

  # A short one for somebody else
  kubectl create token robot --duration 10m --audience https://example.com`,
  disableFlagsInUseLine: true,
  complete: completeNames('serviceaccount'),
  flags: {
    ...printFlags,
    audience: stringArray({
      usage: 'The audience of the token. Can be repeated. Defaults to the API server.',
    }),
    duration: duration({ usage: 'Requested lifetime of the token. If 0, the server chooses it.' }),
    boundObjectKind: string({
      usage:
        'Kind of the object to bind the token to: Node, Pod or Secret. The token expires with the object.',
    }),
    boundObjectName: string({
      usage: 'Name of the object to bind the token to. Requires --bound-object-kind.',
    }),
    boundObjectUid: string({
      usage: 'UID of the object to bind the token to. Requires --bound-object-kind and --bound-object-name.',
    }),
  },
  async run(invocation) {
    const { flags, context } = invocation;
    const name = nameFromArguments(invocation);
    const { namespace } = await context.namespace();
    const print =
      flags.output === '' && flags.template === ''
        ? undefined
        : await context.printer(flags, { order: 'declared' });
    if (name === '') throw new Error('service account name is required');
    check(flags);
    const bound = {
      kind: flags.boundObjectKind,
      apiVersion: boundKinds[flags.boundObjectKind],
      name: flags.boundObjectName,
      ...(flags.boundObjectUid === '' ? {} : { uid: flags.boundObjectUid }),
    };
    const request = {
      kind: 'TokenRequest',
      apiVersion: 'authentication.k8s.io/v1',
      metadata: {},
      spec: {
        audiences: flags.audience.length === 0 ? null : flags.audience,
        expirationSeconds: flags.duration > 0 ? flags.duration / 1000 : null,
        boundObjectRef: flags.boundObjectKind === '' ? null : bound,
      },
    };
    const answer = await ask(context, namespace, name, request);
    const text = answer.status?.token ?? '';
    if (text === '') throw new Error('failed to create token: no token in server response');
    context.print(print === undefined ? text : print(answer));
  },
});

type TokenRequest = Live<authentication.TokenRequest>;

async function ask(
  context: CommandContext,
  namespace: string,
  name: string,
  request: unknown,
): Promise<TokenRequest> {
  try {
    const path = objectPath(mappingOfTarget(targets.serviceAccount), namespace, name, 'token');
    return await (await context.client()).request<TokenRequest>({ method: 'POST', path, body: request });
  } catch (failure) {
    throw new Error(`failed to create token: ${messageOf(failure)}`, { cause: failure });
  }
}

interface TokenFlags {
  readonly duration: number;
  readonly audience: readonly string[];
  readonly boundObjectKind: string;
  readonly boundObjectName: string;
  readonly boundObjectUid: string;
}

function check(flags: TokenFlags): void {
  if (flags.duration < 0) throw new Error('--duration must be greater than or equal to 0');
  if (flags.duration % 1000 !== 0)
    throw new Error('--duration cannot be expressed in units less than seconds');
  if (flags.audience.includes('')) throw new Error('--audience must not be an empty string');
  if (flags.boundObjectKind === '') {
    if (flags.boundObjectName !== '')
      throw new Error('--bound-object-name can only be set if --bound-object-kind is provided');
    if (flags.boundObjectUid !== '')
      throw new Error('--bound-object-uid can only be set if --bound-object-kind is provided');
    return;
  }
  if (boundKinds[flags.boundObjectKind] === undefined) {
    throw new Error(`supported --bound-object-kind values are ${Object.keys(boundKinds).join(', ')}`);
  }
  if (flags.boundObjectName === '')
    throw new Error('--bound-object-name is required if --bound-object-kind is provided');
}
