import { createSmtp } from '../../adapters/smtp/transport.ts'
import { AppError } from '../../platform/errors.ts'
import { createOutbound } from '../../platform/outbound/outbound.ts'
import { type Check, fail, ok, warn } from './finding.ts'

/** Connects to the server in `SMTP_URL` and signs in; sends nothing. */
export const systemMailCheck: Check = {
  what: 'own mail',
  async run({ config, context }) {
    const { systemSender } = config
    if (systemSender === null)
      return config.mailFrom === null
        ? [ok("SMTP_URL is not set; mail of the service goes out through the owner's first mail account")]
        : [warn('MAIL_FROM is set and not used', 'set SMTP_URL as well, or remove MAIL_FROM')]
    const { host, port } = systemSender.server
    const outbound = createOutbound({
      allow: config.outboundAllow,
      typedMayBePrivate: config.access === 'open',
      userAgent: `Factotum/${context.version}`,
    })
    try {
      await createSmtp(outbound.resolve).verify(systemSender)
      return [ok(`${host}:${port} accepts mail from ${systemSender.from.address}`)]
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const said = error.details.failure?.said
      return [
        fail(
          `SMTP_URL does not work: ${error.message}${said ? ` The server said: ${said}` : ''}`,
          'check the host, port, name and password in SMTP_URL',
        ),
      ]
    } finally {
      await outbound.close()
    }
  },
}
