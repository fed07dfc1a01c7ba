/** A connection to an external service that receives an object and returns it filled in. */

export interface WebhookAnswer {
  readonly status: number;
  readonly body: string;
}

export interface WebhookConnection {
  /** @throws Error when no response came in time */
  post(body: string): Promise<WebhookAnswer>;
}

/**
 * Connects to the service of a kubeconfig file, which is read at once.
 * @throws Error with upstream's message when it is unusable
 */
export type WebhookConnector = (kubeconfigFile: string, timeoutMs: number) => WebhookConnection;

/** For servers whose configuration has no webhooks. */
export const noWebhooks: WebhookConnector = () => {
  throw new Error('webhooks require access to files, which this server does not have');
};
