import { ManualClock } from '@coxswain/apimachinery';
import { MemoryStorage } from '@coxswain/storage';
import { EtcdStorage } from '@coxswain/storage/etcd/etcd-storage.ts';
import { storageSuite } from '@coxswain/storage/suite/storage-suite.ts';
import { serveEtcd } from './server.ts';

/** Both ends of the network: the client back end against the face, over the memory engine. */
storageSuite('the etcd back end on our own etcd', async () => {
  const clock = new ManualClock();
  const engine = new MemoryStorage({ clock });
  const listener = await serveEtcd({ engine: engine.engine, clock });
  return {
    storage: new EtcdStorage({ endpoints: [`http://127.0.0.1:${listener.port}`] }),
    advance: async (ms) => {
      await clock.advance(ms);
      await new Promise<void>((resolve) => void setTimeout(resolve, 20));
    },
    dispose: async () => {
      await listener.close();
      await engine.close();
    },
  };
});
