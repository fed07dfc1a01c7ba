/** A service elsewhere that is asked with an object and answers with it filled in. */

export interface WebhookAnswer {
  readonly status: number;
  readonly body: string;
}

export interface WebhookConnection {
  /** @throws Error when no answer came in time */
  post(body: string): Promise<WebhookAnswer>;
}

/**
 * The service that a kubeconfig file names. Reads the file at once.
 * @throws Error in the original's words when it is unusable
 */
export type WebhookConnector = (kubeconfigFile: string, timeoutMs: number) => WebhookConnection;

/** Where nothing is configured that would be asked. */
export const noWebhooks: WebhookConnector = () => {
  throw new Error('webhooks require access to files, which this server does not have');
};
