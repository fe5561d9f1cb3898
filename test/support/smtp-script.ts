import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

/** The server's reaction to a message. */
type Turn =
  | 'accept'
  | 'busy'
  | 'refuse'
  | 'too large'
  | 'die after data'
  | 'die before data'
  | 'hang'
  | 'greylist recipients'

/** Starts an SMTP server that can fail on demand in every way a real one may. */
export const startScriptedSmtp = async () => {
  const state = {
    /** One reaction per message; `accept` when they are used up. */
    turns: [] as Turn[],
    /** The accepted messages. */
    taken: [] as { recipients: string[]; raw: string; parameters: string }[],
    /** Number of completely transferred messages, accepted or not. */
    handedOver: 0,
    /** The SIZE that the server announces (RFC 1870). */
    size: null as number | null,
    /** Whether the server offers SMTPUTF8 (RFC 6531). Otherwise it refuses addresses that are not ASCII. */
    utf8: false,
  }
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('close', () => sockets.delete(socket)).on('error', () => undefined))
    let recipients: string[] = []
    let parameters = ''
    let data: string | undefined
    let turn: Turn = 'accept'
    let rest = ''
    const say = (line: string) => socket.write(`${line}\r\n`)
    const finish = (raw: string): unknown => {
      state.handedOver++
      if (turn === 'die after data') return socket.destroy()
      if (turn === 'hang') return undefined
      if (turn === 'busy') return say('451 4.3.0 Try again later')
      if (turn === 'too large') return say('552 5.3.4 Message too big for this mailbox')
      if (turn === 'refuse') return say('554 5.7.1 We do not like this message')
      state.taken.push({ recipients, raw, parameters })
      return say('250 2.0.0 Taken')
    }
    const hear = (line: string): unknown => {
      const [verb = ''] = line.toUpperCase().split(/[ :]/)
      if (verb === 'EHLO')
        return socket.write(
          `250-script\r\n${state.size === null ? '' : `250-SIZE ${state.size}\r\n`}${state.utf8 ? '250-SMTPUTF8\r\n' : ''}250 8BITMIME\r\n`,
        )
      const isInternational = /[^\0-\x7f]/.test(line)
      if (isInternational && !(state.utf8 && (verb === 'MAIL' || /SMTPUTF8/.test(parameters))))
        return say('553 5.6.7 Address is not ASCII')
      if (verb === 'MAIL') {
        turn = state.turns.shift() ?? 'accept'
        recipients = []
        parameters = line.slice(line.indexOf('>') + 1).trim()
        return say('250 2.1.0 Ok')
      }
      if (verb === 'RCPT') {
        if (turn === 'greylist recipients') return say('450 4.2.0 Greylisted, come back')
        recipients.push(Buffer.from(/<(.*)>/.exec(line)?.[1] ?? '', 'latin1').toString())
        return say('250 2.1.5 Ok')
      }
      if (verb === 'DATA') {
        if (turn === 'die before data') return socket.destroy()
        data = ''
        return say('354 Go ahead')
      }
      if (verb === 'QUIT') {
        say('221 Bye')
        return socket.end()
      }
      return say('250 Ok')
    }
    say('220 script ESMTP')
    socket.on('data', (chunk) => {
      rest += chunk.toString('latin1')
      for (;;) {
        if (data !== undefined) {
          const end = `\r\n${rest}`.indexOf('\r\n.\r\n')
          if (end < 0) return
          const raw = rest.slice(0, end)
          rest = rest.slice(end + 3)
          data = undefined
          finish(raw)
          continue
        }
        const end = rest.indexOf('\r\n')
        if (end < 0) return
        const line = rest.slice(0, end)
        rest = rest.slice(end + 2)
        hear(line)
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return Object.assign(state, {
    port: (server.address() as AddressInfo).port,
    close(): void {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  })
}
