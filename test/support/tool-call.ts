import type { Instance } from './instance.ts'

/** Calls a tool over MCP, as the local account or with a token. Returns its structured content. */
export const callTool = async (
  instance: Instance,
  name: string,
  input: object = {},
  token?: string,
  // biome-ignore lint/suspicious/noExplicitAny: a test knows what it asked for
): Promise<any> => {
  const { status, body } = await instance.post(
    '/mcp',
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } },
    { headers: { accept: 'application/json, text/event-stream' }, ...(token && { token }) },
  )
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const { result } = JSON.parse(text.slice(text.indexOf('{')))
  if (status !== 200 || result?.isError !== false) throw new Error(`${name}: ${status} ${text}`)
  return result.structuredContent
}
