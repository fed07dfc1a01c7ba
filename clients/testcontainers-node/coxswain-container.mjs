/** `coxswain test-server` in a container, as a module of Testcontainers. */

import { AbstractStartedContainer, GenericContainer, Wait } from 'testcontainers';

const port = 6443;
const kubeconfig = '/tmp/kubeconfig';

export class CoxswainContainer extends GenericContainer {
  constructor(image) {
    super(image);
    this.withExposedPorts(port)
      .withFlags()
      .withWaitStrategy(Wait.forLogMessage(/^Ready\./));
  }

  withFlags(...flags) {
    const own = ['--bind-address=0.0.0.0', `--port=${port}`, `--kubeconfig=${kubeconfig}`];
    return this.withCommand(['test-server', ...own, ...flags]);
  }

  async start() {
    return new StartedCoxswainContainer(await super.start());
  }
}

export class StartedCoxswainContainer extends AbstractStartedContainer {
  async kubeconfig() {
    const { exitCode, output } = await this.exec([
      'kubectl',
      `--kubeconfig=${kubeconfig}`,
      'config',
      'view',
      '--raw',
      '--output=json',
    ]);
    if (exitCode !== 0) throw new Error(`the kubeconfig of the container cannot be read: ${output}`);
    const config = JSON.parse(output);
    config.clusters[0].cluster.server = `https://${this.getHost()}:${this.getMappedPort(port)}`;
    return JSON.stringify(config);
  }
}
