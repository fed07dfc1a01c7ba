/** Handlers for the paths of the kubelet's port. */
import { ownMember } from '@coxswain/apimachinery/own-member.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { StatusError } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { jsonResponse, textResponse } from '@coxswain/apiserver/http/api-response.ts';
import type { ApiRequest, ApiResponse } from '@coxswain/apiserver';
import { configurationDocument } from '../config/configuration-document.ts';
import { containerLogs, execInto, attachTo, forwardPorts } from './container-pages.ts';
import { systemLogs } from './system-logs.ts';
import type { KubeletPages } from './kubelet-pages.ts';

type Page = (request: ApiRequest, pages: KubeletPages) => ApiResponse | Promise<ApiResponse>;

const metricsType = 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores';

const fixedPages: Readonly<Record<string, Page>> = {
  '/healthz': (_request, pages) => health(pages),
  '/healthz/ping': () => textResponse(200, 'ok'),
  '/healthz/log': () => textResponse(200, 'ok'),
  '/healthz/syncloop': (_request, pages) => health(pages),
  '/pods': (_request, { kubelet }) => podList(kubelet.pods()),
  '/configz': (_request, { settings }) =>
    jsonResponse(200, { kubeletconfig: configurationDocument(settings) }),
  '/stats/summary': async (_request, { usage }) => jsonResponse(200, await usage.summary()),
  '/metrics': async (_request, { usage }) => textResponse(200, await usage.ownMetrics(), metricsType),
  '/metrics/resource': async (_request, { usage }) =>
    textResponse(200, await usage.resourceMetrics(), metricsType),
  '/metrics/cadvisor': async (_request, { usage }) =>
    textResponse(200, await usage.cadvisorMetrics(), metricsType),
  '/metrics/probes': (_request, { usage }) => textResponse(200, usage.probeMetrics(), metricsType),
};

const systemLogDirectory = '/var/log';

/** By the first segment of the path. */
const debuggingPages: Readonly<Record<string, Page>> = {
  containerLogs,
  exec: execInto,
  attach: attachTo,
  portForward: forwardPorts,
  logs: (request, { settings }) =>
    settings.enableSystemLogHandler
      ? systemLogs(request, systemLogDirectory)
      : textResponse(405, 'logs endpoint is disabled.\n'),
  runningpods: (_request, { kubelet }) =>
    podList(kubelet.pods().filter(({ status }) => status?.phase === 'Running')),
};

export async function answerPage(request: ApiRequest, pages: KubeletPages): Promise<ApiResponse> {
  const path = request.info.path.replace(/(.)\/+$/, '$1');
  const debugging = ownMember(debuggingPages, path.split('/')[1] ?? '');
  if (debugging !== undefined && !pages.settings.enableDebuggingHandlers)
    return textResponse(405, 'Debug endpoints are disabled.\n');
  const page = ownMember(fixedPages, path) ?? debugging;
  if (page === undefined) return textResponse(404, '404 page not found\n');
  try {
    return await page(request, pages);
  } catch (failure) {
    if (failure instanceof StatusError) return textResponse(failure.code, `${failure.message}\n`);
    return textResponse(500, `${messageOf(failure)}\n`);
  }
}

function health({ unhealthy }: KubeletPages): ApiResponse {
  const problem = unhealthy?.();
  return problem === undefined ? textResponse(200, 'ok') : textResponse(500, `${problem}\n`);
}

const podList = (items: readonly Pod[]): ApiResponse =>
  jsonResponse(200, {
    kind: 'PodList',
    apiVersion: 'v1',
    metadata: {},
    items: items.map((pod) => ({ ...pod, kind: undefined, apiVersion: undefined })),
  });
