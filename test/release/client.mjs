// Sends one request from the network of a machine and prints the answer as JSON. With `pause`, it sends one half of the
// body, prints "half", and sends the rest after a line on standard input.
import { once } from 'node:events'
import http from 'node:http'
import https from 'node:https'

const { url, method, headers, body = '', pause } = JSON.parse(process.argv[2])
const bytes = Buffer.from(body)
const request = (url.startsWith('https:') ? https : http).request(url, {
  method,
  headers: { ...headers, 'content-length': bytes.length },
  // The proxy of a test has a certificate of its own authority.
  rejectUnauthorized: false,
})
const answer = once(request, 'response')
if (pause) {
  const middle = Math.floor(bytes.length / 2)
  await new Promise((written) => request.write(bytes.subarray(0, middle), written))
  process.stdout.write('half\n')
  await once(process.stdin, 'data')
  request.end(bytes.subarray(middle))
  process.stdin.destroy()
} else request.end(bytes)
try {
  const [response] = await answer
  const chunks = await Array.fromAsync(response)
  process.stdout.write(JSON.stringify({ status: response.statusCode, body: String(Buffer.concat(chunks)) }))
} catch (error) {
  process.stdout.write(JSON.stringify({ status: 0, body: error.code ?? error.message }))
}
