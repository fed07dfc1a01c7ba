/** `certificate approve` and `certificate deny`. */
import type * as certificates from '@coxswain/api/certificates/v1/index.ts';
import { formatTime, StatusError, type KubeObject, type Live } from '@coxswain/apimachinery';
import { bool } from '@coxswain/cobra';
import { command } from '../../command.ts';
import { completeNames } from '../../completion/resources.ts';
import type { CommandContext } from '../../context.ts';
import { printFlags } from '../../flags/print.ts';
import { filenameFlags } from '../../flags/object-flags.ts';
import { ResourceHelper } from '../../resource/resource-helper.ts';
import { mappingOf, objectOf, type Info } from '../../resource/info.ts';
import { select } from '../../resource/select.ts';

type Condition = Live<certificates.CertificateSigningRequestCondition>;

interface SigningRequest extends KubeObject {
  readonly status?: { readonly conditions?: readonly Condition[] };
}

interface Decision {
  readonly verb: 'approve' | 'deny';
  readonly done: 'approved' | 'denied';
  readonly condition: 'Approved' | 'Denied';
  readonly opposite: 'Approved' | 'Denied';
  readonly reason: string;
}

/** The number of retries after concurrent writes. */
const conflictsMax = 10;

const decide = (decision: Decision, long: string) =>
  command({
    use: `${decision.verb} (-f FILENAME | NAME)`,
    long,
    example: `  # By name
  kubectl certificate ${decision.verb} csr-1`,
    disableFlagsInUseLine: true,
    complete: completeNames('certificatesigningrequest'),
    flags: {
      ...printFlags,
      ...filenameFlags('that name the requests'),
      force: bool({ usage: `Update the request even if it is already ${decision.done}.` }),
    },
    async run({ context, args, flags }) {
      const print = await context.printer(flags, { operation: decision.done });
      if (args.length === 0 && flags.filename.length === 0 && flags.kustomize === '') {
        throw new Error('one or more CSRs must be specified as <name> or -f <filename>');
      }
      const selected = await select(context, {
        args,
        defaultType: 'certificatesigningrequests',
        filenames: flags.filename,
        kustomize: flags.kustomize,
        recursive: flags.recursive,
        namespace: '',
        latest: true,
        continueOnError: true,
      });
      let found = 0;
      await selected.each(async (info) => {
        await write(context, info, decision, flags.force);
        found++;
        context.print(print(objectOf(info)));
      });
      if (found === 0) context.print('No resources found\n');
    },
  });

/** @throws Error if it was decided otherwise, StatusError from the server */
async function write(context: CommandContext, info: Info, decision: Decision, force: boolean): Promise<void> {
  const { group, kind } = mappingOf(info);
  if (group !== 'certificates.k8s.io' || kind !== 'CertificateSigningRequest') {
    const got = group === '' ? kind : `${kind}.${group}`;
    throw new Error(`can only handle CertificateSigningRequest.certificates.k8s.io objects, got ${got}`);
  }
  const helper = new ResourceHelper(await context.client(), { ...mappingOf(info), version: 'v1' });
  for (let conflicts = 0; ; conflicts++) {
    const request: SigningRequest = await helper.get('', info.name);
    const decided = withDecision(request, decision, context.clock.now());
    if (decided === request && !force) return;
    try {
      await helper.replace('', info.name, decided, false, { subresource: 'approval' });
      return;
    } catch (error) {
      const isConflict = error instanceof StatusError && error.reason === 'Conflict';
      if (!isConflict || conflicts >= conflictsMax) throw error;
    }
  }
}

/** Returns the same object if the decision already exists. */
function withDecision(request: SigningRequest, decision: Decision, nowMs: number): SigningRequest {
  const conditions = request.status?.conditions ?? [];
  for (const { type } of conditions) {
    if (type === decision.opposite) {
      throw new Error(`certificate signing request "${request.metadata.name}" is already ${type}`);
    }
  }
  if (conditions.some(({ type }) => type === decision.condition)) return request;
  const condition: Condition = {
    type: decision.condition,
    status: 'True',
    reason: decision.reason,
    message: `This CSR was ${decision.done} by kubectl certificate ${decision.verb}.`,
    lastUpdateTime: formatTime(nowMs),
  };
  return { ...request, status: { ...request.status, conditions: [...conditions, condition] } };
}

export const approve = decide(
  { verb: 'approve', done: 'approved', condition: 'Approved', opposite: 'Denied', reason: 'KubectlApprove' },
  `Approve certificate signing requests, so that the signer may issue the certificates.

 A certificate lets its owner act as the identity in the request. Review the request first.`,
);

export const deny = decide(
  { verb: 'deny', done: 'denied', condition: 'Denied', opposite: 'Approved', reason: 'KubectlDeny' },
  'Deny certificate signing requests, so that the signer does not issue the certificates.',
);
