import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { answersOn, freePorts, startGuarded } from './scripts.ts'

/** Path of nginx. Without it, the tests that need it are skipped. */
export const nginxPath = process.env.TEST_NGINX

const SNIPPET = readFileSync(new URL('../../packaging/proxies/nginx-snippet.conf', import.meta.url), 'utf8')

/** Returns the packaged snippet for another upstream. */
export const snippetFor = (upstream: string): string => SNIPPET.replace('http://127.0.0.1:3000', upstream)

/** Everything that nginx writes stays in `directory`, so that it needs no rights. */
export const toNginxConfig = (directory: string, servers: string): string => `
pid ${directory}/nginx.pid;
error_log stderr;
daemon off;
events {}
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${directory}/${name};`)
    .join('\n  ')}
  ${servers}
}
`

export interface Nginx {
  stop(): Promise<void>
}

export const findPort = async (): Promise<number> => (await freePorts(1))[0] as number

/** Starts nginx on a port of loopback, with the packaged snippet for one location. */
export const startNginx = async (options: {
  port: number
  location: string
  upstream: string
}): Promise<Nginx> => {
  const directory = mkdtempSync(join(tmpdir(), 'factotum-nginx-'))
  const server = `
  server {
    listen 127.0.0.1:${options.port};
    location ${options.location} {
      ${snippetFor(options.upstream)}
    }
  }`
  const config = join(directory, 'nginx.conf')
  writeFileSync(config, toNginxConfig(directory, server))
  const running = startGuarded({
    command: nginxPath as string,
    args: ['-c', config, '-p', directory, '-e', 'stderr'],
    directory,
    // QUIT would wait for the end of open event streams.
    stopSignal: 'TERM',
  })
  await running.untilReady(answersOn(options.port))
  return { stop: () => running.stop() }
}
