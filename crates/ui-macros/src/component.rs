//! Makes a component of a function: its arguments become the fields of a structure of the same name.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{FnArg, ItemFn, Pat, Result};

pub(crate) fn expand(function: ItemFn) -> Result<TokenStream> {
    let ItemFn { attrs, vis, sig, block } = function;
    let (name, output) = (&sig.ident, &sig.output);
    let documentation: Vec<_> = attrs.iter().filter(|attribute| attribute.path().is_ident("doc")).collect();
    let (mut fields, mut names) = (Vec::new(), Vec::new());
    for input in &sig.inputs {
        let FnArg::Typed(argument) = input else {
            return Err(syn::Error::new_spanned(input, "a component has no self"));
        };
        let Pat::Ident(pattern) = argument.pat.as_ref() else {
            return Err(syn::Error::new_spanned(&argument.pat, "expected the name of an argument"));
        };
        let (attributes, name, kind) = (&argument.attrs, &pattern.ident, &argument.ty);
        fields.push(quote! { #(#attributes)* #vis #name: #kind });
        names.push(quote! { #pattern });
    }
    Ok(quote! {
        #(#documentation)*
        #vis struct #name { #(#fields),* }

        #(#attrs)*
        #[allow(non_snake_case)]
        #vis fn #name(#name { #(#names),* }: #name) #output #block
    })
}
