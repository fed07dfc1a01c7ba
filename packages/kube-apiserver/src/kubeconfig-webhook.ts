/** A webhook configured by a kubeconfig file: the cluster is the service, the user is this server. */
import { existsSync } from 'node:fs';
import { readKubeconfig, transportOf } from '@coxswain/client/node.ts';
import { resolveKubeconfig } from '@coxswain/client/kubeconfig/resolve.ts';
import { systemClock } from '@coxswain/apimachinery';
import { formatDurationMs } from '@coxswain/apimachinery/duration.ts';
import type { Dial } from './egress/dial.ts';
import { readAnswer } from './webhooks/read-answer.ts';
import type { WebhookConnector } from './webhook-connection.ts';

/** The maximum size of a response, which holds one review. */
const answerBytesMax = 1024 * 1024;

/** @param dial the dialer, unless connections are direct */
export const kubeconfigWebhooks =
  (dial?: Dial): WebhookConnector =>
  (file, timeoutMs) => {
    if (!existsSync(file)) throw new Error(`stat ${file}: no such file or directory`);
    const config = readKubeconfig(file);
    const { kind } = config;
    if (kind !== undefined && kind !== 'Config') {
      throw new Error(
        `error loading config file "${file}": no kind "${kind}" is registered for version "${config.apiVersion}" in scheme "pkg/runtime/scheme.go:111"`,
      );
    }
    const resolved = resolveKubeconfig(config);
    const transport = transportOf(resolved, systemClock, { dial });
    // The path is that of the cluster's URL.
    const path = `${hasPath(resolved.cluster.server ?? '') ? '' : '/'}?timeout=${formatDurationMs(timeoutMs)}`;
    const encoder = new TextEncoder();
    return {
      async post(body) {
        const headers = { 'content-type': 'application/json', accept: 'application/json, */*' };
        const signal = AbortSignal.timeout(timeoutMs);
        const answer = await transport.send({
          method: 'POST',
          path,
          headers,
          body: encoder.encode(body),
          signal,
        });
        const bytes = await readAnswer(answer.stream(), { signal, bytesMax: answerBytesMax });
        return { status: answer.status, body: new TextDecoder().decode(bytes) };
      },
    };
  };

const hasPath = (server: string): boolean => URL.canParse(server) && new URL(server).pathname !== '/';
