/** Texts of the emails with a link to set a new password, or to register. */
export const en = {
  subject: 'Reset your password',
  greeting: (name: string) => `Hello ${name},`,
  request: 'Somebody, probably you, asked for a new password for your Factotum account.',
  instructions: 'Open this link within 30 minutes, in the browser in which you asked for it:',
  ignore: 'If it was not you, ignore this email. Your password has not changed.',
  reference: (id: string) => `Reference: ${id}`,
  invitation: {
    subject: (inviter: string) => `${inviter} invites you to Factotum`,
    greeting: 'Hello,',
    request: (inviter: string) => `${inviter} invites you to create a Factotum account.`,
    instructions: 'Open this link within a week:',
    ignore: 'If you do not want an account, ignore this email.',
  },
}

export type AuthMailTexts = typeof en
