// Values in workgroup memory: SHARED_VALUES of them. Each kernel says what it keeps here.
//
// With filters, each field of a value has an array of its own. An array of the struct would take a third more, because its
// size is a multiple of 16 bytes; and on an H100, fewer workgroups of resolve would then run side by side.

import package::constants::SHARED_VALUES;
import package::value::{Filtered, Value};

@if(!filters) var<workgroup> shared_values: array<Value, SHARED_VALUES>;
@if(filters) var<workgroup> outsides: array<vec4<f32>, SHARED_VALUES>;
@if(filters) var<workgroup> insides: array<vec4<f32>, SHARED_VALUES>;
@if(filters) var<workgroup> filter_words: array<u32, SHARED_VALUES>;

// `place` is less than SHARED_VALUES, here and below.
fn load(place: u32) -> Value {
    @if(filters) return Filtered(outsides[place], insides[place], filter_words[place]);
    @else return shared_values[place];
}

fn store(place: u32, value: Value) {
    @if(filters) {
        outsides[place] = value.outside;
        insides[place] = value.inside;
        filter_words[place] = value.word;
    }
    @else shared_values[place] = value;
}
