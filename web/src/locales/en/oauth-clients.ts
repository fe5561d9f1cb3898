// Texts of the page where the owner enters the OAuth clients of the instance.

export const providers = {
  google: 'Google',
  microsoft: 'Microsoft',
}
export const signInWith = (provider: string) => `Sign-in with ${provider}`
export const abouts = {
  google: 'For Gmail, Google Workspace and Google calendars',
  microsoft: 'For Outlook.com and Microsoft 365',
}
export const sources = {
  environment: 'Set by the environment',
  owner: 'Set up',
  none: 'Not set up',
}
export const setByEnvironment = ({ provider, clientId }: { provider: string; clientId: string }) =>
  `The variable <code>MAIL_OAUTH_${provider.toUpperCase()}_CLIENT_ID</code> sets the client <code>${clientId}</code>. Change it in the configuration of the server.`
export const stepsTitle = (provider: string) => `How to register a client at ${provider}`
export const steps = {
  google: [
    'Create a <link>project in the Google Cloud console</link>.',
    'Turn on the <link>Gmail API</link>.',
    'For calendars, turn on the <link>CalDAV API</link>.',
    'Set up the <link>consent screen</link>: the name of the app and who may use it.',
    'Create an <link>OAuth client</link> of the type “Web application” with the redirect address below.',
    'Enter its client ID and client secret below.',
  ],
  microsoft: [
    'Open the <link>app registrations in Microsoft Entra</link> and select “New registration”.',
    'Choose “Accounts in any organizational directory and personal Microsoft accounts”.',
    'As redirect URI, choose “Web” and enter the redirect address below.',
    'Under “API permissions”, add the delegated permissions IMAP.AccessAsUser.All and SMTP.Send of Microsoft Graph.',
    'Under “Certificates & secrets”, create a client secret and copy its value.',
    'Enter the application (client) ID and the value below.',
  ],
}
export const notes = {
  google:
    'Publish the app in the consent screen. While it is in testing, Google ends each sign-in after 7 days.',
  microsoft: 'Note the day on which the secret expires. After that day, the sign-in stops.',
}
export const redirectAddress = 'Redirect address'
export const httpsRequired =
  'Google and Microsoft accept only https addresses. Set PUBLIC_URL to the https address of this instance.'
export const clientIds = {
  google: 'Client ID',
  microsoft: 'Application (client) ID',
}
export const clientSecret = 'Client secret'
export const clientSecretHints = {
  google: 'Stored encrypted and never displayed again',
  microsoft: 'The value of the secret, not its ID',
}
export const newClientSecret = 'New client secret'
export const keepSecretHint = 'Leave empty to keep the current one'
export const clientSaved = (provider: string) => `Sign-in with ${provider} saved`
export const deleteClient = 'Delete client'
export const deleteClientTitle = (provider: string) => `Delete the client for ${provider}?`
export const deleteClientAbout = 'Accounts that use this sign-in stop syncing within an hour.'
export const clientDeleted = (provider: string) => `Sign-in with ${provider} deleted`
