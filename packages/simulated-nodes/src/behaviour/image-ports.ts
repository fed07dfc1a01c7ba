/** The ports on which the programs of well-known images listen, by the last part of the image name. */
const ports: Readonly<Record<string, readonly number[]>> = {
  nginx: [80],
  'nginx-slim': [80],
  httpd: [80],
  caddy: [80, 443, 2019],
  traefik: [80, 443, 8080, 8082],
  haproxy: [80, 443],
  wordpress: [80],
  nextcloud: [80],
  ghost: [2368],
  grafana: [3000],
  prometheus: [9090],
  alertmanager: [9093],
  'node-exporter': [9100],
  redis: [6379],
  valkey: [6379],
  memcached: [11211],
  mysql: [3306, 33060],
  mariadb: [3306],
  postgres: [5432],
  postgresql: [5432],
  mongo: [27017],
  rabbitmq: [4369, 5672, 15672, 15692, 25672],
  nats: [4222, 6222, 8222],
  zookeeper: [2181, 2888, 3888, 8080],
  kafka: [9092, 9093],
  elasticsearch: [9200, 9300],
  etcd: [2379, 2380, 2381],
  coredns: [53, 8080, 8181, 9153],
  registry: [5000, 5001],
  'ingress-nginx/controller': [80, 443, 8181, 8443, 10246, 10247, 10254],
  'metrics-server': [4443, 10250],
  'http-echo': [5678],
  echoserver: [8080, 8443],
  'hello-app': [8080],
  whoami: [80],
  pause: [],
};

/** Returns undefined for an unknown image. */
export function imagePorts(image: string): readonly number[] | undefined {
  const name = imageName(image, ports);
  return name === undefined ? undefined : ports[name];
}

/** The name by which a table knows an image: the last one or two parts of its repository. */
export function imageName(image: string, table: Readonly<Record<string, unknown>>): string | undefined {
  const repository = image.replace(/@.*$/, '').replace(/:[^/]+$/, '');
  const parts = repository.split('/');
  return [parts.slice(-2).join('/'), parts.at(-1)!].find((name) => Object.hasOwn(table, name));
}
