/** Instructions for known providers. Names of buttons are quoted as the provider writes them. */
export const en = {
  steps: {
    pasteAppPassword: 'Copy the new password and enter it below.',
    googleTwoStep: 'Turn on 2-Step Verification in your Google Account, if it is off.',
    googleAppPasswords: 'Open the app passwords of your Google Account.',
    googleCreate: 'Enter “Factotum” as the app name and select “Create”.',
    appleSignIn: 'Sign in to your Apple Account.',
    appleAppPasswords: 'Open “Sign-In and Security”, then “App-Specific Passwords”.',
    appleCreate: 'Generate a password with the name “Factotum”.',
    fastmailSecurity: 'Open “Privacy & Security” in the settings of Fastmail.',
    fastmailAppPasswords: 'Select “Manage app passwords and access”, then “New app password”.',
    fastmailCreate: 'Choose the access “Mail, Contacts & Calendars” and generate the password.',
    yahooAppPasswords: 'Open “App passwords” in the account security of Yahoo.',
    yahooCreate: 'Enter “Factotum” as the app name and select “Generate password”.',
    gmxOpen: 'In GMX, open “E-Mail”, “Einstellungen”, “POP3/IMAP Abruf”.',
    gmxTurnOn: 'Turn on “POP3 und IMAP Zugriff erlauben” and save.',
    gmxComOpen: 'In GMX, open “Email”, “Settings”, “POP3 & IMAP”.',
    gmxComTurnOn: 'Turn on “Send and receive emails via external program” and save.',
    gmxPassword: 'Enter your password. With two-factor authentication, create an app-specific one.',
    webDeOpen: 'In WEB.DE, open “E-Mail”, “Einstellungen”, “POP3/IMAP Abruf”.',
    protonInstall: 'Install Proton Mail Bridge on the computer that runs Factotum, and sign in there.',
    protonPassword: 'Copy the password that Bridge displays for your account, and enter it below.',
    protonCertificate:
      'In Bridge, open “Settings”, “Advanced settings”, “Export TLS certificates”. Enter the content of “cert.pem” below.',
    zohoTurnOn: 'Turn on IMAP access in the settings of Zoho Mail.',
    zohoAppPasswords: 'Open “App Passwords” in your Zoho account and generate a password.',
  },
  notes: {
    googleTwoStep: 'Google offers app passwords only with 2-Step Verification.',
    googleWorkspace: 'Your administrator must allow IMAP. Some administrators do not allow app passwords.',
    microsoft: 'Microsoft no longer accepts passwords from email apps. You sign in at Microsoft.',
    apple: 'Apple offers app-specific passwords only with two-factor authentication.',
    proton: 'Bridge requires a paid Proton plan, and it must keep running.',
  },
  calendarNotes: {
    google: 'Sign in with Google to connect your Google calendars too.',
    googleNotSetUp:
      'Google calendars require the sign-in with Google, which the owner of this instance can set up.',
    microsoft:
      'Calendars of Microsoft accounts are not available yet. You can publish a calendar in Outlook and subscribe to its ICS link.',
    proton: 'Proton calendars have no CalDAV. You can share a calendar and subscribe to its link.',
  },
  remedies: {
    app_password: (name: string, url: string) =>
      `${name} accepts only app passwords here. Create one at ${url} and enter it instead of your password.`,
    password: (name: string, url: string) =>
      `Check both, and turn on IMAP in the settings of ${name} (${url}).`,
    oauth: (name: string) => `${name} accepts no passwords from email apps. Sign in with Microsoft instead.`,
  },
}

export type StepName = keyof (typeof en)['steps']

export type ProviderTexts = typeof en
