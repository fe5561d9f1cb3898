import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { session } from '../../../platform/access/route-access.ts'
import { compileExceptBody } from '../../../platform/http/validation.ts'
import { Me } from '../../auth/schema.ts'
import { Preferences, PreferencesChange, ProfileChange } from '../schema.ts'
import type { PreferenceRules } from './preferences.ts'
import { MAX_AVATAR_BYTES, type Profile } from './profile.ts'

const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'application/octet-stream']
const PICTURE = Object.fromEntries(
  PICTURE_TYPES.slice(0, 3).map((type) => [type, { schema: { type: 'string', format: 'binary' } }]),
)

export const profileRoutes =
  (deps: { profile: Profile; preferences: PreferenceRules }): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { profile, preferences } = deps

    app.get(
      '/profile',
      {
        config: session,
        schema: { operationId: 'getProfile', summary: 'Get your profile', response: { 200: Me } },
      },
      ({ user }) => profile.get(user),
    )

    app.patch(
      '/profile',
      {
        config: session,
        schema: {
          operationId: 'updateProfile',
          summary: 'Change your profile',
          description: 'The email and the password have their own routes.',
          body: ProfileChange,
          response: { 200: Me },
        },
      },
      ({ user, body, visit, ifMatch }) => profile.change(user, body, visit, ifMatch),
    )

    app.get(
      '/profile/avatar',
      {
        config: { ...session, mayAnswer: [304, 404] },
        schema: {
          operationId: 'getAvatar',
          summary: 'Get your picture',
          querystring: Type.Object(
            {
              v: Type.Optional(
                Type.String({ maxLength: 20, description: 'The version of the picture, for caches only' }),
              ),
            },
            { additionalProperties: false },
          ),
          response: { 200: { description: 'The picture', content: PICTURE } },
        },
      },
      async ({ user }, reply) => {
        const { contentType, content, hash } = await profile.getAvatar(user)
        return reply
          .type(contentType)
          .header('etag', `"${hash}"`)
          .send(content as never)
      },
    )

    app.delete(
      '/profile/avatar',
      {
        config: { ...session, mayAnswer: [404] },
        schema: {
          operationId: 'deleteAvatar',
          summary: 'Remove your picture',
          response: { 204: Type.Null() },
        },
      },
      ({ user, visit, ifMatch }) => profile.removeAvatar(user, visit, ifMatch),
    )

    app.get(
      '/preferences',
      {
        config: session,
        schema: {
          operationId: 'getPreferences',
          summary: 'Get preferences: time zone, language, week and working hours',
          response: { 200: Preferences },
        },
      },
      ({ user }) => preferences.get(user),
    )

    app.patch(
      '/preferences',
      {
        config: session,
        schema: {
          operationId: 'updatePreferences',
          summary: 'Change preferences',
          body: PreferencesChange,
          response: { 200: Preferences },
        },
      },
      ({ user, body, visit, ifMatch }) => preferences.change(user, body, visit, ifMatch),
    )

    // Only this route accepts pictures, so their parser is registered in a scope of its own.
    await app.register(async (pictures) => {
      pictures.addContentTypeParser(
        PICTURE_TYPES,
        { parseAs: 'buffer', bodyLimit: MAX_AVATAR_BYTES },
        (_request, body, done) => done(null, body),
      )
      pictures.put(
        '/profile/avatar',
        {
          config: session,
          schema: {
            operationId: 'setAvatar',
            summary: 'Set your picture',
            description: 'PNG, JPEG or WebP, recognized by content, up to 2 MiB. SVG is not supported.',
            body: { content: PICTURE },
            response: { 200: Me },
          },
          validatorCompiler: compileExceptBody,
        },
        ({ user, body, visit }) => profile.setAvatar(user, body, visit),
      )
    })
  }
