/** Logs and streams of containers: `/containerLogs`, `/exec`, `/attach`, `/portForward`. */
import { StatusError } from '@coxswain/apimachinery';
import { textResponse } from '@coxswain/apiserver/http/api-response.ts';
import type { ApiRequest, ApiResponse } from '@coxswain/apiserver';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { WantedStreams } from '../containers/container-access.ts';
import type { KubeletPages } from './kubelet-pages.ts';
import { joinCommand, joinPortForward } from './join-stream.ts';
import { logOptions, streamedLog } from './log-stream.ts';

/** `/containerLogs/<namespace>/<pod>/<container>` */
export async function containerLogs(request: ApiRequest, { kubelet }: KubeletPages): Promise<ApiResponse> {
  const [namespace = '', name = '', container = ''] = partsOf(request);
  const options = logOptions(request, parametersOf(request));
  const pod = podOf(kubelet.pods(), namespace, name);
  if (pod === undefined) return textResponse(404, `pod "${name}" does not exist\n`);
  if (!hasContainer(pod, container))
    return textResponse(404, `container "${container}" not found in pod "${name}"\n`);
  return streamedLog(await kubelet.logs({ namespace, name, container }, options));
}

/** `/exec/<namespace>/<pod>/[<uid>/]<container>?command=…&input=1&output=1&error=1&tty=1` */
export async function execInto(request: ApiRequest, pages: KubeletPages): Promise<ApiResponse> {
  const { kubelet, runtime } = pages;
  const id = kubelet.runningContainer(targetOf(request, kubelet.pods()));
  const wanted = wantedOf(request);
  const url = await runtime.access.execUrl(id, parametersOf(request).getAll('command'), wanted);
  return joinCommand(request, { url, wanted, onTranslated: () => pages.metrics?.translated('exec') });
}

export async function attachTo(request: ApiRequest, pages: KubeletPages): Promise<ApiResponse> {
  const { kubelet, runtime } = pages;
  const target = targetOf(request, kubelet.pods());
  const wanted = wantedOf(request);
  const url = await runtime.access.attachUrl(kubelet.runningContainer(target), wanted);
  return joinCommand(request, { url, wanted, onTranslated: () => pages.metrics?.translated('attach') });
}

/** `/portForward/<namespace>/<pod>[/<uid>]?port=80` */
export async function forwardPorts(request: ApiRequest, pages: KubeletPages): Promise<ApiResponse> {
  const { kubelet, runtime } = pages;
  const [namespace = '', name = ''] = partsOf(request);
  if (podOf(kubelet.pods(), namespace, name) === undefined)
    throw new StatusError(404, 'NotFound', 'pod does not exist');
  const ports = parametersOf(request)
    .getAll('port')
    .flatMap((list) => list.split(','))
    .map(Number);
  const url = await runtime.access.portForwardUrl(kubelet.sandboxOf({ namespace, name }), ports);
  return joinPortForward(request, { url, onTranslated: () => pages.metrics?.translated('portforward') });
}

const partsOf = ({ info }: ApiRequest): readonly string[] => info.path.split('/').slice(2);

const parametersOf = ({ incoming }: ApiRequest): URLSearchParams => new URLSearchParams(incoming.query);

const podOf = (pods: readonly Pod[], namespace: string, name: string): Pod | undefined =>
  pods.find(({ metadata }) => metadata?.namespace === namespace && metadata.name === name);

const hasContainer = ({ spec }: Pod, container: string): boolean =>
  [...(spec?.initContainers ?? []), ...(spec?.containers ?? []), ...(spec?.ephemeralContainers ?? [])].some(
    ({ name }) => name === container,
  );

function targetOf(request: ApiRequest, pods: readonly Pod[]) {
  const [namespace = '', name = '', ...rest] = partsOf(request);
  if (podOf(pods, namespace, name) === undefined)
    throw new StatusError(404, 'NotFound', 'pod does not exist');
  return { namespace, name, container: rest.at(-1) ?? '' };
}

/** The kubelet's parameter names, which are older than the API's. */
function wantedOf(request: ApiRequest): WantedStreams {
  const parameters = parametersOf(request);
  const flag = (...names: readonly string[]) =>
    names.some((name) => ['1', 'true'].includes(parameters.get(name) ?? ''));
  const tty = flag('tty');
  const wanted = {
    stdin: flag('input', 'stdin'),
    stdout: flag('output', 'stdout'),
    stderr: flag('error', 'stderr') && !tty,
    tty,
  };
  if (wanted.stdin || wanted.stdout || wanted.stderr) return wanted;
  throw new StatusError(400, 'BadRequest', 'you must specify at least 1 of stdin, stdout, stderr');
}
